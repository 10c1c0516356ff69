# Libraries of kernels, and the judges that test them.
#
# On the host layer each target exists in three forms, named by the end: plain (kernels_05_layer_norm), and two with
# a sanitizer: _thread finds races, _address finds accesses out of bounds. The sanitizer checks the host layer, the
# kernels, and the judges that call them. The results to compare with come from one library for all three forms: its
# files with xtensor take minutes to compile under a sanitizer, and contain no kernel.

set(GRADUS_KERNEL_FORMS plain)
if(GRADUS_TESTS AND NOT GRADUS_SANITIZE)
  list(APPEND GRADUS_KERNEL_FORMS thread address)
endif()
foreach(sanitizer thread address)
  add_library(gradus_watch_${sanitizer} INTERFACE)
  target_compile_options(gradus_watch_${sanitizer} INTERFACE -O1 -g1 -fno-omit-frame-pointer -fsanitize=${sanitizer}
                                                             -fno-sanitize-recover=all)
  target_link_options(gradus_watch_${sanitizer} INTERFACE -fsanitize=${sanitizer})
endforeach()

# add_kernels(kernels_05_layer_norm SOURCES x_cuda.cu LINKS chapter_05_layer_norm KERNELS gradus_cuda_host)
# LINKS are linked unchanged, KERNELS in the form of the library. Without sources the target only names its links.
function(add_kernels name)
  cmake_parse_arguments(kernels "" "" "SOURCES;LINKS;KERNELS" ${ARGN})
  set(cu_files ${kernels_SOURCES})
  list(FILTER cu_files INCLUDE REGEX "[.]cu$")
  if(cu_files AND NOT GRADUS_CUDA)
    set_source_files_properties(${cu_files} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-x;c++")
  endif()
  foreach(form IN LISTS GRADUS_KERNEL_FORMS)
    set(end "")
    set(watch "")
    if(NOT form STREQUAL plain)
      set(end _${form})
      set(watch gradus_watch_${form})
    endif()
    list(TRANSFORM kernels_KERNELS APPEND "${end}" OUTPUT_VARIABLE kernels)
    if(kernels_SOURCES)
      add_library(${name}${end} STATIC ${kernels_SOURCES})
      target_link_libraries(${name}${end} PUBLIC ${kernels} ${kernels_LINKS} ${watch})
      if(NOT GRADUS_CUDA)  # only judges run there
        set_target_properties(${name}${end} PROPERTIES EXCLUDE_FROM_ALL ON)
      endif()
    else()
      add_library(${name}${end} INTERFACE)
      target_link_libraries(${name}${end} INTERFACE ${kernels} ${kernels_LINKS})
    endif()
  endforeach()
  # A kernel that spills registers is right, only slower: a warning, at which no user's build stops. `make check-cuda` stops.
  if(GRADUS_CUDA AND kernels_SOURCES)
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr -Xcompiler=-Wall,-Wextra
                           -Xptxas=-warn-spills>)
  endif()
endfunction()

# add_kernel_sources(test_kernels_03_attention x_naive_cuda.cu): kernels that only these tests link and judge.
function(add_kernel_sources name)
  if(NOT ARGN)
    return()
  endif()
  set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-x;c++")
  foreach(form "" _thread _address)
    if(TARGET ${name}${form})
      target_sources(${name}${form} PRIVATE ${ARGN})
    endif()
  endforeach()
endfunction()

# add_kernel_tests(test_kernels_05_layer_norm SOURCES kernels_test.cpp KERNELS kernels_05_layer_norm)
# The plain form is a test of `make test`. The targets all_kernels_thread and all_kernels_address build the other
# forms, into the folders kernels_thread and kernels_address: see `make kernels`.
function(add_kernel_tests name)
  cmake_parse_arguments(test "" "" "SOURCES;KERNELS" ${ARGN})
  if(GRADUS_SANITIZE)
    return()  # the forms have their own sanitizers
  endif()
  foreach(form IN LISTS GRADUS_KERNEL_FORMS)
    set(end "")
    if(NOT form STREQUAL plain)
      set(end _${form})
    endif()
    list(TRANSFORM test_KERNELS APPEND "${end}" OUTPUT_VARIABLE kernels)
    add_executable(${name}${end} ${test_SOURCES})
    target_link_libraries(${name}${end} PRIVATE ${kernels} Catch2::Catch2WithMain)
    if(end)
      set_target_properties(${name}${end} PROPERTIES EXCLUDE_FROM_ALL ON OUTPUT_NAME ${name}
                            RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/kernels${end})
    endif()
    if(NOT TARGET all_kernels${end})
      add_custom_target(all_kernels${end})
    endif()
    add_dependencies(all_kernels${end} ${name}${end})
  endforeach()
  string(REGEX REPLACE "^test_" "" test ${name})
  add_test(NAME ${test} COMMAND ${name})
endfunction()
