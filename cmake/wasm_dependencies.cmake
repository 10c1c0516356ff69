# The outside libraries where the target is WebAssembly. Only those that are headers: products are plain loops, the tables of
# Unicode are the browser's, and what needs Nettle is left out (lib/gradus/CMakeLists.txt). The headers get a folder of their own, because /usr/include has those of this machine's C library.
set(headers ${PROJECT_BINARY_DIR}/headers)
find_path(GRADUS_HEADERS xtensor-blas/xblas.hpp PATHS /usr/local/include /usr/include NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
file(MAKE_DIRECTORY ${headers})
foreach(library nlohmann xflens xtensor xtensor-blas xtl)
  file(CREATE_LINK ${GRADUS_HEADERS}/${library} ${headers}/${library} SYMBOLIC)
endforeach()

add_library(gradus_headers INTERFACE)
target_include_directories(gradus_headers SYSTEM INTERFACE ${headers} ${PROJECT_SOURCE_DIR}/lib/gradus/ops/plain_blas
                           ${PROJECT_SOURCE_DIR}/lib/gradus/io/browser_unicode)
add_library(gradus_formulas INTERFACE)
target_link_libraries(gradus_formulas INTERFACE gradus_headers)
target_compile_definitions(gradus_formulas INTERFACE XTENSOR_USE_FLENS_BLAS)  # xtensor-blas has loops of its own
foreach(library Threads::Threads nlohmann_json::nlohmann_json PkgConfig::NETTLE PkgConfig::UTF8PROC)
  add_library(${library} INTERFACE IMPORTED)
endforeach()
target_link_libraries(nlohmann_json::nlohmann_json INTERFACE gradus_headers)
