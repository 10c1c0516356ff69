// The feed-forward network of the tiny encoder, D = 4 and F = 8: forward, backward, dropout, relu compared with
// gelu, swish, and the network without an activation.

#include <string>
#include <vector>

#include "00_foundations/tiny.hpp"
#include "06_feed_forward/feed_forward.hpp"

using namespace gradus;
using tiny::D;
using tiny::Device;
using tiny::F;

namespace {

using Values = std::vector<double>;

Out<Device, 2> matrix(Values& values, std::size_t width) {
  return {values.data(), {values.size() / width, width}, width};
}
Out<Device, 1> vector(Values& values) { return {values.data(), {values.size()}, values.size()}; }

/// A learnt parameter, in its own memory.
Values learnt(const std::string& name) {
  const In<Device, 1> v = tiny::vector("encoder.0.feed_forward." + name);
  return {v.data, v.data + v.extent[0]};
}

struct Network {
  Values w1 = learnt("inner.w"), b1 = learnt("inner.b"), w2 = learnt("outer.w"), b2 = learnt("outer.b");
  Device dev;
  FeedForwardCache<Device> cache;

  FeedForwardParams<Device> params() { return {{matrix(w1, F), vector(b1)}, {matrix(w2, D), vector(b2)}}; }
  void zero() {
    for (Values* v : {&w1, &b1, &w2, &b2}) v->assign(v->size(), 0);
  }
  Values forward(Values& x, const LinearActivationOptions& options) {
    Values y(x.size());
    feed_forward_forward(dev, matrix(y, D), cache, matrix(x, D), params(), options);
    return y;
  }
};

/// The words of "the cat sleeps" as chapter 01 looks them up: rows of the table times sqrt(D) = 2.
Values words_as_rows() {
  const In<Device, 2> table = tiny::matrix("source_embedding");
  Values x;
  for (const std::int32_t id : tiny::source_ids()) {
    for (std::size_t d = 0; d < D; ++d) x.push_back(2 * table.row(std::size_t(id))[d]);
  }
  return x;
}

void forward_and_backward(Values x) {
  const std::vector<std::string> words = tiny::words(tiny::english(), tiny::source_ids());
  const LinearActivationOptions relu;
  Network network, gradient;
  gradient.zero();
  Values y = network.forward(x, relu);
  tiny::section("forward");
  tiny::print("x (N, D)", matrix(x, D), words);
  tiny::print("z = x w1 + b1 (N, F)", network.cache.inner.z, words);
  tiny::print("h = relu(z) (N, F)", network.cache.h, words);
  tiny::print("y = h w2 + b2 (N, D)", matrix(y, D), words);

  Values dy(x.size(), 0.0), dx(x.size());
  dy[D] = 1;  // the loss depends on the first number of "cat"
  feed_forward_backward(network.dev, matrix(dx, D), gradient.params(), matrix(dy, D), matrix(x, D), network.cache,
                        network.params(), relu);
  tiny::section("backward");
  tiny::print("dy (N, D)", matrix(dy, D), words);
  tiny::print("dx (N, D)", matrix(dx, D), words);
  tiny::print("db1 (F), here the row dz of \"cat\"", vector(gradient.b1));
  tiny::print("db2 (D)", vector(gradient.b2));

  Network with_dropout;
  StepState state;
  state.seed = 3, state.step = 1;
  with_dropout.dev.set(state);
  with_dropout.forward(x, {Activation::relu, {0.25, 22, Side::source}});
  tiny::section("dropout of a quarter, after the activation");
  tiny::print("h (N, F)", with_dropout.cache.h, words);
}

void curves(const char* section, const std::vector<Activation>& activations) {
  Values x{-4, -2, -1, -0.5, 0, 0.5, 1, 2, 4}, ones(x.size(), 1.0);
  Device dev;
  tiny::section(section);
  tiny::print("x", vector(x));
  for (const Activation activation : activations) {
    const std::string name = name_of(activation);
    Values y(x.size()), slope(x.size());
    activation_forward(dev, matrix(y, x.size()), matrix(x, x.size()), activation);
    activation_backward(dev, matrix(slope, x.size()), matrix(ones, x.size()), matrix(x, x.size()), activation);
    tiny::print(name + "(x)", vector(y));
    tiny::print("its slope", vector(slope));
  }
}

/// (x w1 + b1) w2 + b2 = x (w1 w2) + (b1 w2 + b2)
void without_activation(Values x) {
  Network network;
  const FeedForwardParams<Device> p = network.params();
  Device dev;
  Values z(x.size() / D * F), twice(x.size()), w(D * D), b(D), once(x.size());
  linear_forward(dev, matrix(z, F), matrix(x, D), p.inner);
  linear_forward(dev, matrix(twice, D), matrix(z, F), p.outer);
  linear_forward(dev, matrix(w, D), p.inner.w, LinearParams<Device>{p.outer.w, {}});
  linear_forward(dev, matrix(b, D), matrix(network.b1, F), p.outer);
  linear_forward(dev, matrix(once, D), matrix(x, D), LinearParams<Device>{matrix(w, D), vector(b)});
  tiny::section("without an activation");
  tiny::print("\"cat\" through both maps", In<Device, 1>{twice.data() + D, {D}, D});
  tiny::print("\"cat\" through one map, 4 x 4", In<Device, 1>{once.data() + D, {D}, D});
}

}  // namespace

int main() {
  const Values x = words_as_rows();
  forward_and_backward(x);
  curves("relu and gelu", {Activation::relu, Activation::gelu});
  curves("swish", {Activation::swish});
  without_activation(x);
}
