# A chapter is a library, its kernels, a demo and judges. The list after DEPENDS is the dependency graph of the book.

# Whether a file with this path and suffix belongs to a leaf, whose header is x.hpp: "leaf" for x, "version" for x_NAME, else "".
function(find_leaf result file suffix)
  string(REGEX REPLACE "((cpu|cuda)/)?([^/]+)${suffix}$" "\\3" name ${file})
  set(kind leaf)
  while(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${name}.hpp AND kind)
    set(kind "")
    if(name MATCHES "^(.*[^/_])_[^/_]+$")
      set(name ${CMAKE_MATCH_1})
      set(kind version)
    endif()
  endwhile()
  set(${result} "${kind}" PARENT_SCOPE)
endfunction()

# The pieces of a chapter's leaves that end in `suffix`, in `result`; those of other versions of a leaf, in ${result}_versions, which tests
# compile. Lessons have pieces too, which belong to no leaf. A file that comes later makes the build configure again.
function(find_pieces result suffix lessons)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *${suffix})
  foreach(lesson IN LISTS lessons)
    list(FILTER files EXCLUDE REGEX "(^|/)${lesson}${suffix}$")
  endforeach()
  set(leaf "")
  set(version "")
  foreach(file IN LISTS files)
    find_leaf(kind ${file} ${suffix})
    if(NOT kind OR (kind STREQUAL version AND NOT suffix STREQUAL _cuda.cu))
      string(REGEX REPLACE "((cpu|cuda)/)?([^/]+)${suffix}$" "\\3.hpp" header ${file})
      message(FATAL_ERROR "${CMAKE_CURRENT_SOURCE_DIR}/${file}: a leaf's declarations are in ${header}, which does not exist")
    endif()
    list(APPEND ${kind} ${file})
  endforeach()
  set(${result} ${leaf} PARENT_SCOPE)
  set(${result}_versions ${version} PARENT_SCOPE)
endfunction()

# add_chapter(05_layer_norm LESSONS product_ladder SOURCES more.cpp DEPENDS 00_foundations LIBRARIES gradus_text)
# For each leaf x, the files x_reference.cpp (xtensor), cpu/x_cpu.cpp (loops) and cuda/x_cuda.cu (kernels) are compiled if they exist.
# cuda/x_NAME_cuda.cu is another version of x (lib/gradus/kernels/version.hpp), which the tests and gpu_check compile.
function(add_chapter name)
  cmake_parse_arguments(chapter "" "" "LESSONS;SOURCES;DEPENDS;LIBRARIES" ${ARGN})
  find_pieces(reference_files _reference.cpp "${chapter_LESSONS}")
  find_pieces(cpu_files _cpu.cpp "${chapter_LESSONS}")
  find_pieces(kernel_files _cuda.cu "${chapter_LESSONS}")
  list(TRANSFORM kernel_files_versions PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  set_property(GLOBAL PROPERTY GRADUS_VERSIONS_${name} ${kernel_files_versions})
  set_property(GLOBAL APPEND PROPERTY GRADUS_VERSIONS ${kernel_files_versions})
  list(APPEND cpu_files ${chapter_SOURCES})

  list(TRANSFORM chapter_DEPENDS PREPEND chapter_)
  set(links gradus_ground ${chapter_DEPENDS} ${chapter_LIBRARIES})
  if(reference_files OR cpu_files)
    add_library(chapter_${name} STATIC ${reference_files} ${cpu_files})
    set_source_files_properties(${cpu_files} PROPERTIES COMPILE_OPTIONS "${GRADUS_FAST_OPTIONS}")
    target_link_libraries(chapter_${name} PUBLIC ${links} PRIVATE gradus_formulas)
  else()
    add_library(chapter_${name} INTERFACE)
    target_link_libraries(chapter_${name} INTERFACE ${links})
  endif()

  set(kernels ${chapter_DEPENDS})
  list(TRANSFORM kernels REPLACE "^chapter_" "kernels_")
  add_kernels(kernels_${name} SOURCES ${kernel_files} LINKS chapter_${name} KERNELS ${kernels} ${gradus_kernel_ground})

  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/demo.cpp)
    add_executable(demo_${name} demo.cpp)
    target_link_libraries(demo_${name} PRIVATE chapter_${name})
    target_compile_options(demo_${name} PRIVATE $<$<CONFIG:Sanitize>:-O0>)  # compiled by the second compiler, not run
  endif()
  if(GRADUS_TESTS AND EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/plain.cpp)  # without any library, as a beginner compiles it
    add_executable(plain_${name} plain.cpp)
  endif()
endfunction()

# The tests of a chapter's leaves whose cases name their sizes, in `result`, and those of their kernels, in ${result}_kernels. What they are made
# from makes the build configure again.
function(make_sized_tests result name)
  file(GLOB cases CONFIGURE_DEPENDS *_case.hpp)
  file(GLOB twins CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/wrong/*.hpp)
  file(GLOB golden CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/golden/*.safetensors)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${cases} ${twins} ${PROJECT_SOURCE_DIR}/tests/support/sizes.py)
  execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/support/sizes.py ${name} ${CMAKE_CURRENT_BINARY_DIR}/sized
                  OUTPUT_VARIABLE files OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(kernels ${files})
  list(FILTER kernels INCLUDE REGEX "/kernels_[^/]*$")
  list(FILTER files EXCLUDE REGEX "/kernels_[^/]*$")
  set(${result} ${files} PARENT_SCOPE)
  set(${result}_kernels ${kernels} PARENT_SCOPE)
endfunction()

# add_chapter_tests(05_layer_norm): all ..._test.cpp of the folder as one binary that links the chapter and what it builds on; where
# the folder has other binaries too, the files follow the name. kernels_test.cpp and kernels_..._test.cpp beside them form a second binary,
# which also links the kernels.
function(add_chapter_tests name)
  set(links chapter_${name} gradus_judges Catch2::Catch2WithMain)
  set(files ${ARGN})
  if(NOT files)
    file(GLOB files CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *_test.cpp)
    list(FILTER files EXCLUDE REGEX "^kernels_")
  endif()
  make_sized_tests(sized ${name})
  list(APPEND files ${sized})
  set(twins ${files})
  list(FILTER twins INCLUDE REGEX "twins_test.cpp$")
  if(GRADUS_SANITIZE AND twins)  # see below; kept as a target for clang-tidy
    list(REMOVE_ITEM files ${twins})
    add_library(twins_${name} OBJECT EXCLUDE_FROM_ALL ${twins})
    target_link_libraries(twins_${name} PRIVATE ${links})
  endif()
  add_executable(test_${name} ${files})
  target_link_libraries(test_${name} PRIVATE ${links})
  if(TARGET plain_${name})  # plain_test.cpp runs it
    list(JOIN CMAKE_CROSSCOMPILING_EMULATOR " " emulator)
    target_compile_definitions(test_${name} PRIVATE GRADUS_PLAIN="${emulator} $<TARGET_FILE:plain_${name}>")
    add_dependencies(test_${name} plain_${name})
  endif()
  file(GLOB kernel_tests CONFIGURE_DEPENDS kernels_test.cpp kernels_*_test.cpp)
  if(kernel_tests)
    add_kernel_tests(test_kernels_${name} SOURCES ${kernel_tests} ${sized_kernels} KERNELS kernels_${name} gradus_kernel_judges)
    get_property(versions GLOBAL PROPERTY GRADUS_VERSIONS_${name})
    add_kernel_sources(test_kernels_${name} ${versions})
  endif()
  # Sanitizers check memory, not numbers: parity, contract and golden values run every path. So the build without
  # sanitizers runs the long loops of forward passes (finite differences, twins) and the trainings. Twins are not
  # even compiled here. [memory] counts pages, and sanitizers take pages of their own. An emulator takes many times as
  # long: there the chapters of leaves run all, the others do as with sanitizers.
  set(filter "")
  if(GRADUS_SANITIZE OR (CMAKE_CROSSCOMPILING AND NOT name MATCHES "^0[0-6]_"))
    set(filter "~[gradients]~[wrong]~[slow]~[memory]")
  endif()
  add_test(NAME ${name} COMMAND test_${name} ${filter})
endfunction()
