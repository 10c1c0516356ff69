# How everything is compiled. Compiler flags are set here alone, save those of the build type Sanitize (CMakePresets.json).

option(GRADUS_TESTS "build the judges (Catch2)" ON)
option(GRADUS_PROGRAM "build chapter 11 and the program (SentencePiece, CLI11, zlib)" ON)
option(GRADUS_PORTABLE "run on any x86-64 machine instead of this one" OFF)
option(GRADUS_WARNINGS_AS_ERRORS "stop at a warning" ON)
option(GRADUS_CUDA "build the kernels with nvcc for NVIDIA GPUs (no judges: those run the kernels on the host layer)" OFF)
set(GRADUS_SANITIZE "" CACHE STRING "sanitizers, as -fsanitize= takes them: address,undefined or thread")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_FLAGS_RELEASE "-O2")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g")

find_program(GRADUS_CCACHE ccache)
if(GRADUS_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${GRADUS_CCACHE})
endif()

add_library(gradus_settings INTERFACE)
target_include_directories(gradus_settings INTERFACE ${PROJECT_SOURCE_DIR}/lib ${PROJECT_SOURCE_DIR}/chapters)
set(compile_options -fopenmp-simd -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                    $<$<BOOL:${GRADUS_WARNINGS_AS_ERRORS}>:-Werror>)
if(NOT GRADUS_PORTABLE)
  list(APPEND compile_options -march=native)
endif()
target_compile_options(gradus_settings INTERFACE "$<$<COMPILE_LANGUAGE:C,CXX>:${compile_options}>")
if(GRADUS_SANITIZE)
  target_compile_options(gradus_settings INTERFACE -fsanitize=${GRADUS_SANITIZE} -fno-sanitize-recover=all
                                                   -fno-omit-frame-pointer -g1)
  target_link_options(gradus_settings INTERFACE -fsanitize=${GRADUS_SANITIZE})
endif()

# Loops of the fast device: they vectorise by pragma, and no result depends on errno or on floating-point traps.
set(GRADUS_FAST_OPTIONS $<$<CONFIG:Release>:-O3> -fno-math-errno -fno-trapping-math)
