#pragma once
/// \file
/// Tensors that travel between ranks. MPI reads and writes host memory. The tensors of a processor are there already. Those of
/// a GPU are copied there and back, unless the ranks have a link between their GPUs.

#include <list>
#include <type_traits>
#include <vector>

#include "gradus/device/device.hpp"
#include "gradus/ops/elementwise.hpp"
#include "gradus/ranks/ranks.hpp"

namespace gradus {

/// Collects what this rank sends and receives; `run` then exchanges all of it at once: between steps only,
/// unless the ranks have a link between their GPUs.
template <class Dev>
class TensorExchange {
 public:
  using Real = typename Dev::Real;

  TensorExchange(Ranks& ranks, Dev& dev) : ranks_(ranks), dev_(dev) {}

  void send(std::size_t to, In<Dev, 1> x) {
    if (x.extent[0] != 0) out_.push_back({to, sent(x), x.extent[0] * sizeof(Real)});
  }

  void receive(std::size_t from, Out<Dev, 1> y) {
    if (y.extent[0] != 0) in_.push_back({from, received(y), y.extent[0] * sizeof(Real)});
  }

  /// Sends `mine` to all other ranks, and receives what they send: the tensor of rank r as `theirs(r)`.
  template <class Theirs>
  void to_all(In<Dev, 1> mine, const Theirs& theirs) {
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      if (r == ranks_.rank()) continue;
      send(r, mine);
      receive(r, theirs(r));
    }
  }

  /// With a link between GPUs this is one more piece of work in the GPU's stream. Otherwise it waits until all has arrived.
  void run() {
    if (by_link()) return ranks_.exchange_by_gpu_link(out_, in_);
    ranks_.exchange(out_, in_);
    for (const Copy& copy : arrived_) write(dev_, copy.place, copy.values);
  }

 private:
  static constexpr bool on_host = std::is_same_v<typename Dev::Space, Host>;

  bool by_link() const { return !on_host && ranks_.has_gpu_link(); }

  /// A tensor of a GPU, and its values in host memory.
  struct Copy {
    Out<Dev, 1> place;
    std::vector<Real> values;
  };

  const void* sent(In<Dev, 1> x) {
    if (on_host || by_link()) return x.data;
    read(dev_, leaving_.emplace_back(), x);
    return leaving_.back().data();
  }

  void* received(Out<Dev, 1> y) {
    if (on_host || by_link()) return y.data;
    arrived_.push_back({y, std::vector<Real>(y.extent[0])});
    return arrived_.back().values.data();
  }

  Ranks& ranks_;
  Dev& dev_;
  std::vector<Outgoing> out_;
  std::vector<Incoming> in_;
  std::list<std::vector<Real>> leaving_;  // lists, because the addresses of their elements stay
  std::list<Copy> arrived_;
};

}  // namespace gradus
