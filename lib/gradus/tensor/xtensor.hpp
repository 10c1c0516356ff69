#pragma once
/// \file
/// The only file that includes xtensor. It knows both layouts of its headers (flat up to 0.25, in folders since
/// 0.26), and it teaches xtensor our dual numbers first.

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
