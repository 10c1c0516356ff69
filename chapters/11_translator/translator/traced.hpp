#pragma once
/// \file
/// A device of the processor that computes like another one and takes notes: which leaf ran, with which parameter, and what came out.
/// Composites cannot tell the difference. Fused leaves fall into their compositions, so every single step is noted.

#include <cmath>

#include "05_layer_norm/layer_norm.hpp"
#include "06_feed_forward/activation.hpp"
#include "09_transformer/log_probs_top_k.hpp"
#include "09_transformer/transformer.hpp"
#include "11_translator/translator/explain.hpp"

namespace gradus {

template <class Base>
struct Traced : Base {
  const Layout* layout = nullptr;             ///< of the model, and
  const typename Base::Real* flat = nullptr;  ///< its weights: an address in them is a parameter's name
  std::vector<TracedOperation> operations;

  void note(const char* name, In<Base, 2> y, const typename Base::Real* parameter = nullptr) {
    TracedOperation operation{name, parameter_name(parameter), y.extent, 0, 0};
    const double count = static_cast<double>(y.extent[0] * y.extent[1]);
    double squares = 0;
    for (std::size_t i = 0; i < y.extent[0]; ++i) {
      for (std::size_t j = 0; j < y.extent[1]; ++j) operation.mean += y.row(i)[j] / count;
    }
    for (std::size_t i = 0; i < y.extent[0]; ++i) {
      for (std::size_t j = 0; j < y.extent[1]; ++j) squares += std::pow(y.row(i)[j] - operation.mean, 2);
    }
    operation.deviation = std::sqrt(squares / count);
    operations.push_back(operation);
  }

 private:
  std::string parameter_name(const typename Base::Real* address) const {
    if (address == nullptr || layout == nullptr) return "";
    for (const Slice& s : layout->slices()) {
      if (address >= flat + s.offset && address < flat + s.offset + s.size()) return s.name;
    }
    return "";
  }
};

template <class Base>
void lookup_forward(Traced<Base>& dev, Out<Base, 2> y, Ints<Base, 1> ids, In<Base, 2> table,
                    const LookupOptions& options) {
  lookup_forward(static_cast<Base&>(dev), y, ids, table, options);
  dev.note("lookup", y, table.data);
}

template <class Base>
void position_forward(Traced<Base>& dev, Out<Base, 2> y, In<Base, 2> x, const Segments<Base>& sentences,
                      Ints<Base, 1> first, In<Base, 2> positions) {
  position_forward(static_cast<Base&>(dev), y, x, sentences, first, positions);
  dev.note("position", y);
}

template <class Base>
void linear_forward(Traced<Base>& dev, Out<Base, 2> y, In<Base, 2> x, const LinearParams<Base>& p) {
  linear_forward(static_cast<Base&>(dev), y, x, p);
  dev.note("linear", y, p.w.data);
}

template <class Base>
void attention_forward(Traced<Base>& dev, Out<Base, 2> y, AttentionCache<Base>& cache, In<Base, 2> q, In<Base, 2> k,
                       In<Base, 2> v, const Segments<Base>& queries, const Segments<Base>& keys,
                       const AttentionOptions& options) {
  attention_forward(static_cast<Base&>(dev), y, cache, q, k, v, queries, keys, options);
  dev.note(options.causal ? "attention, causal" : "attention", y);
}

template <class Base>
void layer_norm_forward(Traced<Base>& dev, Out<Base, 2> y, NormCache<Base>& cache, In<Base, 2> x,
                        const NormParams<Base>& p) {
  layer_norm_forward(static_cast<Base&>(dev), y, cache, x, p);
  dev.note("layer_norm", y, p.gamma.data);
}

/// The residual connection: s = x + f.
template <class Base>
void add(Traced<Base>& dev, Acc<Base, 2> y, In<Base, 2> x) {
  add(static_cast<Base&>(dev), y, x);
  dev.note("add", y);
}

template <class Base>
void activation_forward(Traced<Base>& dev, Out<Base, 2> y, In<Base, 2> x, Activation activation) {
  activation_forward(static_cast<Base&>(dev), y, x, activation);
  dev.note(name_of(activation), y);
}

template <class Base>
void gemm(Traced<Base>& dev, Out<Base, 2> c, Factor<Base> a, Factor<Base> b, double scale = 1) {
  gemm(static_cast<Base&>(dev), c, a, b, scale);
  dev.note("product", c, b.matrix.data);
}

}  // namespace gradus
