# How everything is compiled. Compiler flags are set here, except those of the build type Sanitize
# (CMakePresets.json), and how far commands, demos and tests are optimised (beside them).

# Inside another project (add_subdirectory, FetchContent) gradus is a library: it builds the targets that are asked
# for; it does not test, install or set anything by itself.
option(GRADUS_TESTS "build the judges (Catch2)" ${PROJECT_IS_TOP_LEVEL})
option(GRADUS_INSTALL "make rules for installation" ${PROJECT_IS_TOP_LEVEL})
option(GRADUS_PROGRAM "build chapter 11 and the program (CLI11, zlib, libcurl, minizip)" ON)
option(GRADUS_PORTABLE "run on any machine of this architecture instead of this one alone" OFF)
option(GRADUS_WARNINGS_AS_ERRORS "stop at a warning" ${PROJECT_IS_TOP_LEVEL})
option(GRADUS_GROUPS "compile several sources of the program and of the tests as one: all take less time, one alone takes more" ON)
option(GRADUS_CUDA "build the kernels with nvcc for NVIDIA GPUs (no judges: those run the kernels on the host layer)" OFF)
set(GRADUS_MPI AUTO CACHE STRING "train on several machines by MPI: ON, OFF, or AUTO, where MPI is installed")
set(GRADUS_NCCL AUTO CACHE STRING "exchange tensors between GPUs by NCCL: ON, OFF, or AUTO, where NCCL is installed")
set_property(CACHE GRADUS_MPI GRADUS_NCCL PROPERTY STRINGS AUTO ON OFF)
set(GRADUS_SANITIZE "" CACHE STRING "sanitizers, as -fsanitize= takes them: address,undefined or thread")

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
  endif()
else()
  set_property(DIRECTORY PROPERTY EXCLUDE_FROM_ALL ON)
  if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)  # only here: products without optimisation take ten times as long
  endif()
endif()

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
if(NOT EMSCRIPTEN)  # WebAssembly is one static module
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_FLAGS_RELEASE "-O2")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g")

find_program(GRADUS_CCACHE ccache)
if(GRADUS_CCACHE)  # it fails where it may not write its folder, for example
  file(WRITE ${PROJECT_BINARY_DIR}/CMakeFiles/ccache_works.cpp "int main() {}\n")
  execute_process(COMMAND ${GRADUS_CCACHE} ${CMAKE_CXX_COMPILER} -c CMakeFiles/ccache_works.cpp -o CMakeFiles/ccache_works.o
                  WORKING_DIRECTORY ${PROJECT_BINARY_DIR} RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed)
    message(STATUS "ccache is left out: it cannot compile here")
  else()
    set(CMAKE_CXX_COMPILER_LAUNCHER ${GRADUS_CCACHE})
  endif()
endif()

add_library(gradus_settings INTERFACE)
target_include_directories(gradus_settings INTERFACE ${PROJECT_SOURCE_DIR}/lib ${PROJECT_SOURCE_DIR}/chapters)
set(compile_options -fopenmp-simd -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Werror=switch
                    $<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow>  # a group's sources would hide each other's names
                    $<$<BOOL:${GRADUS_WARNINGS_AS_ERRORS}>:-Werror>)
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-march=native GRADUS_HAS_MARCH_NATIVE)
if(NOT GRADUS_PORTABLE)  # clang supports only the second flag on ARM
  list(APPEND compile_options $<IF:$<BOOL:${GRADUS_HAS_MARCH_NATIVE}>,-march=native,-mcpu=native>)
endif()
target_compile_options(gradus_settings INTERFACE "$<$<COMPILE_LANGUAGE:C,CXX>:${compile_options}>")
if(GRADUS_SANITIZE)
  target_compile_options(gradus_settings INTERFACE -fsanitize=${GRADUS_SANITIZE} -fno-sanitize-recover=all
                                                   -fno-omit-frame-pointer -g1)
  target_link_options(gradus_settings INTERFACE -fsanitize=${GRADUS_SANITIZE})
endif()

# Loops of the fast device: they vectorise by pragma, and no result depends on errno or on floating-point traps. For some
# processors (Zen 1 to 3 among them) GCC computes a few sums without FMA, if they look like a chain. Then a row alone had
# other bits than the same row beside others.
set(GRADUS_FAST_OPTIONS $<$<CONFIG:Release>:-O3> $<$<CONFIG:Sanitize>:-O2> -fno-math-errno -fno-trapping-math
                        $<$<CXX_COMPILER_ID:GNU>:--param=avoid-fma-max-bits=0>)
