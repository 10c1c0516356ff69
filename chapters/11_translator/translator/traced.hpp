#pragma once
/// \file
/// A device of the processor that computes like another one and records each leaf: its name, its parameter and its
/// result. Composites run on it unchanged. It has no fused leaves, so every single operation is recorded.

#include <cmath>

#include "05_layer_norm/norm.hpp"
#include "06_feed_forward/activation.hpp"
#include "09_transformer/log_probs_top_k.hpp"
#include "09_transformer/transformer.hpp"
#include "11_translator/translator/explain.hpp"
#include "12_ssru/ssru.hpp"

namespace gradus {

/// Base is a protected base, so its leaves are called only through the overloads below. A leaf without one does not
/// compile ("inaccessible base"). Its overload decides whether the leaf gets a row, and which.
template <class Base>
struct Traced : protected Base {
  using Base::capacity, Base::kept, Base::scratch, Base::state;
  using typename Base::Real;
  using typename Base::Space;

  const Layout* layout = nullptr;  ///< of the model
  const Real* flat = nullptr;      ///< the model's weights: an address in them identifies a parameter
  std::vector<TracedOperation> operations;

  Base& untraced() { return *this; }

  void note(const std::string& name, In<Base, 2> y, const Real* parameter = nullptr) {
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
  std::string parameter_name(const Real* address) const {
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
  lookup_forward(dev.untraced(), y, ids, table, options);
  dev.note("lookup", y, table.data);
}

template <class Base>
void position_forward(Traced<Base>& dev, Out<Base, 2> y, In<Base, 2> x, const Segments<Base>& sentences,
                      Ints<Base, 1> first, In<Base, 2> positions) {
  position_forward(dev.untraced(), y, x, sentences, first, positions);
  dev.note("position", y);
}

template <class Base>
void linear_forward(Traced<Base>& dev, Out<Base, 2> y, In<Base, 2> x, const LinearParams<Base>& p) {
  linear_forward(dev.untraced(), y, x, p);
  dev.note("linear", y, p.w.data);
}

template <class Base>
void attention_forward(Traced<Base>& dev, Out<Base, 2> y, AttentionCache<Base>& cache,
                       const AttentionInput<Base>& x, const AttentionOptions& options) {
  attention_forward(dev.untraced(), y, cache, x, options);
  dev.note(options.causal ? "attention, causal" : "attention", y);
}

template <class Base>
void ssru_forward(Traced<Base>& dev, Out<Base, 2> h, Out<Base, 2> last, SsruCache<Base>& cache,
                  const SsruInput<Base>& x) {
  ssru_forward(dev.untraced(), h, last, cache, x);
  dev.note("ssru", h);
}

template <class Base>
void norm_forward(Traced<Base>& dev, Out<Base, 2> y, NormCache<Base>& cache, In<Base, 2> x,
                  const NormParams<Base>& p) {
  norm_forward(dev.untraced(), y, cache, x, p);
  dev.note(std::string(name_of(p.form)) + "_norm", y, p.gamma.data);
}

/// The residual connection: s = x + f.
template <class Base>
void add(Traced<Base>& dev, Acc<Base, 2> y, In<Base, 2> x) {
  add(dev.untraced(), y, x);
  dev.note("add", y);
}

template <class Base>
void activation_forward(Traced<Base>& dev, Out<Base, 2> y, In<Base, 2> x, Activation activation) {
  activation_forward(dev.untraced(), y, x, activation);
  dev.note(name_of(activation), y);
}

/// The logits, with their bias if the model has one.
template <class Base>
void output_forward(Traced<Base>& dev, Out<Base, 2> z, In<Base, 2> x, const OutputParams<Base>& p) {
  output_forward(dev.untraced(), z, x, p);
  dev.note("product", z, p.table.data);
}

// These get no row: dropout, which drops nothing here, the choice of candidates, `read` and `write`.
template <class Base>
void dropout_forward(Traced<Base>& dev, Out<Base, 2> y, In<Base, 2> x, const Dropout& dropout) {
  dropout_forward(dev.untraced(), y, x, dropout);
}
template <class Base>
void log_probs_top_k(Traced<Base>& dev, Out<Base, 2> scores, OutInts<Base, 2> ids, In<Base, 2> logits) {
  log_probs_top_k(dev.untraced(), scores, ids, logits);
}
template <class Base, class Host, class View>
void read(Traced<Base>& dev, Host& host, const View& x) {
  read(dev.untraced(), host, x);
}
template <class Base, class View, class Host>
void write(Traced<Base>& dev, const View& y, const Host& host) {
  write(dev.untraced(), y, host);
}

}  // namespace gradus
