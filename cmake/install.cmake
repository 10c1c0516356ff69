# `cmake --install build/release --prefix P` installs the program with its models, the library, its headers, and the
# files with which CMake and pkg-config find them. These files contain relative paths only, so P may be moved.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(headers ${CMAKE_INSTALL_INCLUDEDIR}/gradus)  # the folder to search: includes have the same paths as in this tree
set(models ${CMAKE_INSTALL_DATADIR}/gradus/models)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/gradus)

if(TARGET gradus)
  file(RELATIVE_PATH from_program /${CMAKE_INSTALL_BINDIR} /${models})
  target_compile_definitions(gradus_commands PRIVATE GRADUS_INSTALLED_MODELS="${from_program}")
endif()
if(NOT GRADUS_INSTALL)
  return()
endif()

# The headers of the components, without those that only their .cpp files share: users do not need xtensor.
foreach(root lib chapters)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/${root} ${root}/*.hpp)
  list(FILTER files EXCLUDE REGEX "_(cpu|reference|cuda)\\.hpp$|/demo_parts\\.hpp$|/on_device\\.hpp$|^gradus/(gpu|kernels)/|^gradus/tensor/x?(tensor|array)\\.hpp$")
  foreach(file IN LISTS files)
    get_filename_component(folder ${file} DIRECTORY)
    install(FILES ${root}/${file} DESTINATION ${headers}/${folder})
  endforeach()
endforeach()
install(FILES lib/gradus/gpu/runtime.hpp DESTINATION ${headers}/gradus/gpu)  # without kernels

target_include_directories(gradus_shared INTERFACE $<INSTALL_INTERFACE:${headers}>)
set_target_properties(gradus_shared PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS gradus_shared EXPORT gradus-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT gradus-targets NAMESPACE gradus:: DESTINATION ${package})

install(TARGETS gradus_leaf_judges gradus_arrays EXPORT gradus-judges-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT gradus-judges-targets NAMESPACE gradus:: DESTINATION ${package})
list(TRANSFORM judge_headers REPLACE "(.+)" "tests/support/\\1.hpp")
install(FILES ${judge_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gradus-judges/support)
install(FILES lib/gradus/tensor/array.hpp lib/gradus/tensor/xtensor.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gradus-judges/gradus/tensor)

set(config ${PROJECT_BINARY_DIR}/gradus-config)
configure_package_config_file(cmake/gradus-config.cmake.in ${config}.cmake INSTALL_DESTINATION ${package} PATH_VARS models)
write_basic_package_version_file(${config}-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${config}.cmake ${config}-version.cmake DESTINATION ${package})

file(RELATIVE_PATH prefix /x/${CMAKE_INSTALL_LIBDIR}/pkgconfig /x)
configure_file(cmake/gradus.pc.in ${PROJECT_BINARY_DIR}/gradus.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/gradus.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

if(TARGET gradus)
  add_dependencies(gradus gradus_shared gradus_leaf_judges)  # so that `make` builds everything that is installed
  set_target_properties(gradus PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS gradus RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(TARGET gradus_mpi)
    add_dependencies(gradus gradus_mpi)
    install(TARGETS gradus_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/gradus)
  endif()
  install(DIRECTORY chapters/11_translator/models/en-de chapters/11_translator/models/de-en DESTINATION ${models})
  if(NOT CMAKE_CROSSCOMPILING)
    set(generated ${PROJECT_BINARY_DIR}/generated/gradus)
    install(FILES ${generated}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${generated}.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME gradus)
    install(FILES ${generated}.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _gradus)
    install(FILES ${generated}.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  endif()

  if(GRADUS_TESTS AND NOT GRADUS_SANITIZE)  # with a sanitized library, the programs that use it need the sanitizer too
    add_test(NAME install COMMAND ${PROJECT_SOURCE_DIR}/tests/install/run ${PROJECT_BINARY_DIR})
    set_tests_properties(install PROPERTIES ENVIRONMENT CXX=${CMAKE_CXX_COMPILER})
  endif()
endif()
