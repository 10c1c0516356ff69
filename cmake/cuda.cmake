# The kernels, x_cuda.cu, are compiled in one of two ways: by nvcc for GPUs (GRADUS_CUDA), or as C++ for the host
# layer, where the judges test them. A build folder has one of the two, so no binary can link both.

if(GRADUS_CUDA AND GRADUS_TESTS)
  message(FATAL_ERROR "GRADUS_CUDA and GRADUS_TESTS exclude each other: the judges run the kernels on the host layer")
endif()

if(GRADUS_CUDA)
  set(gradus_kernel_ground gradus_cuda)
  find_program(GRADUS_NVCC nvcc HINTS ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES bin REQUIRED)
  set(CMAKE_CUDA_COMPILER ${GRADUS_NVCC})
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    # One architecture for each generation that this toolkit supports: 12 is the last toolkit with Volta, 13 the
    # first without. A later chip of a generation runs the code of its first chip.
    execute_process(COMMAND ${GRADUS_NVCC} --list-gpu-arch OUTPUT_VARIABLE known COMMAND_ERROR_IS_FATAL ANY)
    foreach(architecture 70 75 80 90 100 120)
      if(known MATCHES "compute_${architecture}\n")
        list(APPEND CMAKE_CUDA_ARCHITECTURES ${architecture})
      endif()
    endforeach()
  endif()
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
  set(CMAKE_CUDA_STANDARD 17)
  set(CMAKE_CUDA_FLAGS_RELEASE "-O3")

  # NCCL connects the GPUs of several ranks. NVIDIA's Python package has only libnccl.so.2.
  if(NOT GRADUS_NCCL STREQUAL OFF)
    find_path(GRADUS_NCCL_INCLUDE nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
    find_library(GRADUS_NCCL_LIBRARY NAMES nccl libnccl.so.2 HINTS ${CUDAToolkit_LIBRARY_DIR})
    if(GRADUS_NCCL_INCLUDE AND GRADUS_NCCL_LIBRARY)
      add_library(gradus_nccl INTERFACE)
      target_include_directories(gradus_nccl SYSTEM INTERFACE ${GRADUS_NCCL_INCLUDE})
      target_link_libraries(gradus_nccl INTERFACE ${GRADUS_NCCL_LIBRARY})
    elseif(GRADUS_NCCL STREQUAL ON)
      message(FATAL_ERROR "GRADUS_NCCL is ON, but NCCL was not found (nccl.h and libnccl; CMAKE_PREFIX_PATH can name its folder)")
    endif()
  endif()
else()
  set(gradus_kernel_ground gradus_cuda_host)
endif()
