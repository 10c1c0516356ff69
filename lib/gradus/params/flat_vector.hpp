#pragma once
/// \file
/// A flat vector of all parameters, and the binder, which gives its slices to the structs of the composites.

#include <string>

#include "gradus/memory/workspace.hpp"
#include "gradus/params/layout.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus {

/// Memory for one value per parameter, in a device's space: weights, their gradients, a moment of Adam.
template <class Dev>
class FlatVector {
 public:
  using Real = typename Dev::Real;
  using Space = typename Dev::Space;

  explicit FlatVector(const Layout& layout) : flat_(memory_.vector(layout.size())) {}

  View<Real, 1, Space> flat() const { return flat_; }  ///< (parameters); contents are undefined at first

 private:
  Workspace<Real, Space> memory_;
  View<Real, 1, Space> flat_;
};

/// Asks for parameters by name. Without a flat vector it only declares them in the layout; with one it returns their
/// views. So each composite lists its parameters once, for counting, weights and gradients.
template <class Dev>
class Binder {
 public:
  using Real = typename Dev::Real;
  using Space = typename Dev::Space;

  explicit Binder(Layout& layout) : declared_(&layout), layout_(&layout) {}
  Binder(const Layout& layout, View<Real, 1, Space> flat) : layout_(&layout), flat_(flat) {}

  /// The matrix (in, out) of a linear map, or of `maps` maps packed side by side, each (in, out / maps).
  View<Real, 2, Space> weight(const std::string& name, std::size_t in, std::size_t out, std::size_t maps = 1) {
    return matrix({name, Kind::weight, {in, out}, maps});
  }

  /// The bias (n) of a linear map with `in` inputs and n outputs.
  View<Real, 1, Space> bias(const std::string& name, std::size_t n, std::size_t in) {
    return vector({name, Kind::bias, {n}, 1, in});
  }

  /// A table (Vocab, D), one row for each word. With a padding row, row 0 belongs to no word.
  View<Real, 2, Space> table(const std::string& name, std::size_t Vocab, std::size_t D, bool has_padding_row) {
    return matrix({name, Kind::embedding, {Vocab, D}, 1, 0, has_padding_row});
  }

  /// The gamma and the beta of a layer norm, (n) each.
  View<Real, 1, Space> gain(const std::string& name, std::size_t n) { return vector({name, Kind::gain, {n}}); }
  View<Real, 1, Space> shift(const std::string& name, std::size_t n) { return vector({name, Kind::bias, {n}}); }

 private:
  View<Real, 2, Space> matrix(const Declaration& d) { return {at(d), {d.shape[0], d.shape[1]}, d.shape[1]}; }
  View<Real, 1, Space> vector(const Declaration& d) { return {at(d), {d.shape[0]}, d.shape[0]}; }

  Real* at(const Declaration& declaration) {
    if (declared_ != nullptr) {
      declared_->declare(declaration);
      return nullptr;
    }
    return flat_.data + layout_->find(declaration.name).offset;
  }

  Layout* declared_ = nullptr;
  const Layout* layout_;
  View<Real, 1, Space> flat_;
};

}  // namespace gradus
