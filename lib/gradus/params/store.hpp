#pragma once
/// \file
/// The flat store of parameters, and the binder that hands its slices to the structs of the composites.

#include <string>

#include "gradus/device/stack.hpp"
#include "gradus/params/layout.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus {

/// Memory for one value per parameter, in a device's space: weights, their gradients, a moment of Adam.
template <class Dev>
class Store {
 public:
  using Real = typename Dev::Real;
  using Space = typename Dev::Space;

  explicit Store(const Layout& layout) : flat_(memory_.vector(layout.size())) {}

  View<Real, 1, Space> flat() const { return flat_; }  ///< (parameters); contents are undefined at first

 private:
  Stack<Real, Space> memory_;
  View<Real, 1, Space> flat_;
};

/// Asks for parameters by name. Without a store it only declares them in the layout; with one it gives their views.
/// So each composite lists its parameters once, for counting, for weights and for gradients alike.
template <class Dev>
class Binder {
 public:
  using Real = typename Dev::Real;
  using Space = typename Dev::Space;

  explicit Binder(Layout& layout) : declared_(&layout), layout_(&layout) {}
  Binder(const Layout& layout, View<Real, 1, Space> flat) : layout_(&layout), flat_(flat) {}

  View<Real, 2, Space> matrix(const std::string& name, Kind kind, std::size_t rows, std::size_t columns) {
    return {at(name, kind, {rows, columns}), {rows, columns}, columns};
  }
  View<Real, 1, Space> vector(const std::string& name, Kind kind, std::size_t n) {
    return {at(name, kind, {n}), {n}, n};
  }

 private:
  Real* at(const std::string& name, Kind kind, const std::vector<std::size_t>& shape) {
    if (declared_ != nullptr) {
      declared_->declare(name, kind, shape);
      return nullptr;
    }
    return flat_.data + layout_->find(name).offset;
  }

  Layout* declared_ = nullptr;
  const Layout* layout_;
  View<Real, 1, Space> flat_;
};

}  // namespace gradus
