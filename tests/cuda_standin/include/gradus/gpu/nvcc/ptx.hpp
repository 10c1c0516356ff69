#pragma once
/// \file
/// Instead of lib/gradus/gpu/nvcc/ptx.hpp, which a C++ compiler cannot compile: the accesses of 16 bytes, as on the host layer.

#include "gradus/gpu/host/bytes16.hpp"
