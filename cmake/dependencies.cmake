# The outside libraries: each is found once and gets the name that the rest of the build uses.

if(EMSCRIPTEN)
  include(wasm_dependencies)
  return()
endif()

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)

# xtensor and xtensor-blas, for the formulas only. Warnings in their headers are switched off.
find_package(xtensor CONFIG REQUIRED)
find_path(GRADUS_XTENSOR_BLAS xtensor-blas/xblas.hpp REQUIRED)
# OpenBLAS built with threads, of which one is used. Debian's and Ubuntu's build without threads gives wrong results
# for two products at a time, so only one may run (ops/blas/blas_call.hpp), and a training on several threads is slower.
pkg_check_modules(OPENBLAS REQUIRED IMPORTED_TARGET openblas)
add_library(gradus_formulas INTERFACE)
get_target_property(xtensor_include xtensor INTERFACE_INCLUDE_DIRECTORIES)
target_include_directories(gradus_formulas SYSTEM INTERFACE ${xtensor_include} ${GRADUS_XTENSOR_BLAS})
target_link_libraries(gradus_formulas INTERFACE PkgConfig::OPENBLAS)
target_compile_definitions(gradus_formulas INTERFACE $<$<NOT:$<CONFIG:Release>>:XTENSOR_ENABLE_ASSERT>)
# g++ 13 gives false warnings about xtl's inlined copies of shapes; 12, 14 and clang do not.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION MATCHES "^13")
  target_compile_options(gradus_formulas INTERFACE -Wno-array-bounds -Wno-maybe-uninitialized -Wno-stringop-overflow)
endif()
if(xtensor_VERSION VERSION_GREATER_EQUAL 0.27)
  target_compile_features(gradus_formulas INTERFACE cxx_std_20)
endif()

if(GRADUS_TESTS)
  find_package(Catch2 CONFIG REQUIRED)
endif()

include(optional_part)

# MPI connects the processes of `mpirun gradus train`. AUTO uses it where it works. FindMPI makes its target also where it
# found nothing, and keeps what it found after that was removed.
set(GRADUS_HAS_MPI FALSE)
if(NOT GRADUS_MPI STREQUAL OFF)
  find_package(MPI COMPONENTS C QUIET)
  if(MPI_C_FOUND)
    optional_part_works(GRADUS_HAS_MPI MPI::MPI_C mpi.h)
  endif()
  if(NOT GRADUS_HAS_MPI)
    forget_variables("^MPI_")
    if(GRADUS_MPI STREQUAL ON)
      message(FATAL_ERROR "GRADUS_MPI is ON, but MPI was not found, or only a part of it (Debian: libopenmpi-dev)")
    endif()
  endif()
endif()

find_package(nlohmann_json CONFIG REQUIRED)
pkg_check_modules(NETTLE REQUIRED IMPORTED_TARGET nettle)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)

if(GRADUS_PROGRAM)
  find_package(CLI11 CONFIG REQUIRED)
  find_package(ZLIB REQUIRED)
  find_package(CURL REQUIRED)
  pkg_check_modules(MINIZIP REQUIRED IMPORTED_TARGET minizip)
  # Without libedit the prompt has no cursor keys and no history; without cpp-httplib `gradus serve` reports what is missing.
  optional_pkg_config(LIBEDIT libedit editline/readline.h)
  optional_pkg_config(HTTPLIB cpp-httplib httplib.h)

  # Without SentencePiece `gradus train` learns no subwords. It is found by its files: Debian 13's .pc requires protobuf's, which
  # is not needed to link it.
  find_path(GRADUS_SENTENCEPIECE_INCLUDE sentencepiece_trainer.h NO_CACHE)
  find_library(GRADUS_SENTENCEPIECE sentencepiece NO_CACHE)
  find_library(GRADUS_SENTENCEPIECE_TRAIN sentencepiece_train NO_CACHE)
  set(GRADUS_HAS_SENTENCEPIECE FALSE)
  if(GRADUS_SENTENCEPIECE_INCLUDE AND GRADUS_SENTENCEPIECE AND GRADUS_SENTENCEPIECE_TRAIN)
    set(GRADUS_HAS_SENTENCEPIECE TRUE)
    add_library(gradus_sentencepiece INTERFACE)
    target_include_directories(gradus_sentencepiece SYSTEM INTERFACE ${GRADUS_SENTENCEPIECE_INCLUDE})
    target_link_libraries(gradus_sentencepiece INTERFACE ${GRADUS_SENTENCEPIECE_TRAIN} ${GRADUS_SENTENCEPIECE})
  elseif(GRADUS_TESTS)
    message(FATAL_ERROR "the tests need SentencePiece (Debian: libsentencepiece-dev)")
  else()
    message(STATUS "SentencePiece is not there: `gradus train` learns no subwords (Debian: libsentencepiece-dev)")
  endif()
endif()
