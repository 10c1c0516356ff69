# A chapter is a library, its kernels, a demo and judges. The list after DEPENDS is the dependency graph of the book.

# The files of a leaf that is not in the list would be compiled by nobody, and its users would not link. A file that comes later makes
# the build configure again. The kernels of a lesson belong to no leaf: tests compile them.
function(check_leaves leaves)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *_reference.cpp *_cpu.cpp *_cuda.cu)
  foreach(file IN LISTS files)
    string(REGEX REPLACE "_(reference|cpu|cuda)\\.[a-z]+$" "" leaf ${file})
    if(NOT leaf IN_LIST leaves)
      message(FATAL_ERROR "${CMAKE_CURRENT_SOURCE_DIR}/${file}: no library compiles it; add ${leaf} behind LEAVES in "
                          "${CMAKE_CURRENT_SOURCE_DIR}/CMakeLists.txt")
    endif()
  endforeach()
endfunction()

# add_chapter(05_layer_norm LEAVES layer_norm LESSONS layer_norm_naive SOURCES more.cpp DEPENDS 00_foundations LIBRARIES gradus_text)
# For each leaf x, the files x_reference.cpp (xtensor) and x_cpu.cpp (loops) are compiled if they exist.
function(add_chapter name)
  cmake_parse_arguments(chapter "" "" "LEAVES;LESSONS;SOURCES;DEPENDS;LIBRARIES" ${ARGN})
  check_leaves("${chapter_LEAVES};${chapter_LESSONS}")
  set(reference_files "")
  set(cpu_files ${chapter_SOURCES})
  foreach(leaf IN LISTS chapter_LEAVES)
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${leaf}_reference.cpp)
      list(APPEND reference_files ${leaf}_reference.cpp)
    endif()
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${leaf}_cpu.cpp)
      list(APPEND cpu_files ${leaf}_cpu.cpp)
    endif()
  endforeach()

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

  add_chapter_kernels(${name} "${chapter_LEAVES}" "${chapter_DEPENDS}")

  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/demo.cpp)
    add_executable(demo_${name} demo.cpp)
    target_link_libraries(demo_${name} PRIVATE chapter_${name})
    target_compile_options(demo_${name} PRIVATE $<$<CONFIG:Sanitize>:-O0>)  # compiled by the second compiler, not run
  endif()
  if(GRADUS_TESTS AND EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/plain.cpp)  # without any library, as a beginner compiles it
    add_executable(plain_${name} plain.cpp)
  endif()
endfunction()

# The kernels x_cuda.cu of the leaves, as kernels_05_layer_norm.
function(add_chapter_kernels name leaves depends)
  set(files "")
  foreach(leaf IN LISTS leaves)
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${leaf}_cuda.cu)
      list(APPEND files ${leaf}_cuda.cu)
    endif()
  endforeach()
  list(TRANSFORM depends REPLACE "^chapter_" "kernels_")
  add_kernels(kernels_${name} SOURCES ${files} LINKS chapter_${name} KERNELS ${depends} ${gradus_kernel_ground})
endfunction()

# add_chapter_tests(05_layer_norm layer_norm_test.cpp): one binary that links the chapter and what it builds on.
# kernels_test.cpp and kernels_..._test.cpp beside them form a second binary, which also links the kernels.
function(add_chapter_tests name)
  set(links chapter_${name} gradus_judges Catch2::Catch2WithMain)
  if(GRADUS_SANITIZE AND "twins_test.cpp" IN_LIST ARGN)  # see below; kept as a target for clang-tidy
    list(REMOVE_ITEM ARGN twins_test.cpp)
    add_library(twins_${name} OBJECT EXCLUDE_FROM_ALL twins_test.cpp)
    target_link_libraries(twins_${name} PRIVATE ${links})
  endif()
  add_executable(test_${name} ${ARGN})
  target_link_libraries(test_${name} PRIVATE ${links})
  if(TARGET plain_${name})  # plain_test.cpp runs it
    list(JOIN CMAKE_CROSSCOMPILING_EMULATOR " " emulator)
    target_compile_definitions(test_${name} PRIVATE GRADUS_PLAIN="${emulator} $<TARGET_FILE:plain_${name}>")
    add_dependencies(test_${name} plain_${name})
  endif()
  file(GLOB kernel_tests CONFIGURE_DEPENDS kernels_test.cpp kernels_*_test.cpp)
  if(kernel_tests)
    add_kernel_tests(test_kernels_${name} SOURCES ${kernel_tests} KERNELS kernels_${name} gradus_kernel_judges)
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
