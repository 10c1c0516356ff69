#pragma once
/// \file
/// The norm of a model: which forms there are, and what each computes. Stacks call these functions and no form's own, so
/// a new form changes this file alone. Sizes: N rows, D columns.

#include <string>

#include "05_layer_norm/layer_norm.hpp"
#include "gradus/params/flat_vector.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/names.hpp"

namespace gradus {

/// The formula of a model's norms. Parameters carry their form and their epsilon, so no option travels beside them.
enum class NormForm : int { layer };

template <>
struct Names<NormForm> {
  static constexpr const char* noun = "norm form";
  static constexpr Name<NormForm> table[] = {{NormForm::layer, "layer"}};
};

/// Whether a form has beta; each has gamma.
constexpr bool has_beta(NormForm form) {
  switch (form) {
    case NormForm::layer:
      return true;
  }
  return false;
}

/// The parameters `name`.gamma, which starts at 1, and `name`.beta, which starts at 0 and is absent in a form without it.
template <class Dev>
NormParams<Dev> norm_params(Binder<Dev>& bind, const std::string& name, std::size_t D, NormForm form,
                            double epsilon) {
  NormParams<Dev> p{bind.gain(name + ".gamma", D), {}, form, epsilon};
  if (has_beta(form)) p.beta = bind.shift(name + ".beta", D);
  return p;
}

/// \defgroup norm norm
/// computes  the norm of the form that p carries, row by row
/// requires  what that form's leaf requires; Error for a number that is no form.
/// ensures   what the leaf ensures.
/// saves     what the leaf saves.
/// @{
template <class Dev>
void norm_forward(Dev& dev, Out<Dev, 2> y, NormCache<Dev>& cache, In<Dev, 2> x, const NormParams<Dev>& p) {
  switch (p.form) {
    case NormForm::layer:
      return layer_norm_forward(dev, y, cache, x, p);
  }
  fail("norm: there is no such form");
}

template <class Dev>
void norm_backward(Dev& dev, Out<Dev, 2> dx, const NormParams<Dev>& dp, In<Dev, 2> dy, In<Dev, 2> x,
                   const NormCache<Dev>& cache, const NormParams<Dev>& p) {
  switch (p.form) {
    case NormForm::layer:
      return layer_norm_backward(dev, dx, dp, dy, x, cache, p);
  }
  fail("norm: there is no such form");
}
/// @}

}  // namespace gradus
