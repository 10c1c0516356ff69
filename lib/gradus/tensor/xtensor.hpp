#pragma once
/// \file
/// The only file that includes xtensor. It supports both layouts of xtensor's headers (flat up to 0.25, in folders
/// since 0.26), and it includes our dual numbers before them.

#include "gradus/scalar/dual.hpp"

#if __has_include(<xtensor/containers/xtensor.hpp>)
#include <xtensor/containers/xtensor.hpp>
#include <xtensor/core/xmath.hpp>
#include <xtensor/views/xview.hpp>
#else
#include <xtensor/xmath.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>
#endif
