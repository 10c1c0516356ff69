#pragma once

#include "10_training/step/step.hpp"
#include "chapters/09_transformer/transformer_case.hpp"

namespace gradus::test {

/// Steps of training as a function of the initial weights: the trainer is judged like a leaf.
struct TrainingCase {
  ModelConfig config = small_model(Norm::pre, Tying::all, 0);
  std::size_t micro_batches = 3, steps = 10;
  OptimiserOptions optimiser{};
  double smoothing = 0.1;

  /// Five pairs of words 4 .. vocab - 1, of unequal lengths.
  static IdPairs pairs(std::size_t vocab) {
    IdPairs result;
    const std::vector<std::size_t> sources{3, 1, 4, 2, 5}, targets{2, 4, 1, 3, 6};
    for (std::size_t i = 0, k = 0; i < sources.size(); ++i) {
      result.source.emplace_back(), result.target.emplace_back();
      for (std::size_t n = 0; n < sources[i]; ++n) result.source[i].push_back(word(k += 3, vocab));
      for (std::size_t n = 0; n < targets[i]; ++n) result.target[i].push_back(word(k += 2, vocab));
    }
    return result;
  }

  Layout layout() const {
    return layout_of([&](auto& bind) { transformer_params(bind, config); });
  }

  void describe(Description& d) const {
    d.component = "training";
    const Layout parameters = layout();
    for (const Slice& s : parameters.slices()) {
      const bool is_map = s.kind == Kind::weight;
      d.input(s.name, s.shape).constant().scaled(is_map ? 1 / std::sqrt(static_cast<double>(s.shape[0])) : 1);
    }
    for (const Slice& s : parameters.slices()) d.output(s.name + ".after", s.shape);
    d.output("losses", {steps});
    d.output("norms", {steps});
  }

  template <class Dev>
  struct Cache {};

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>&, Tensors<Dev>& t) const {
    Model<Dev> model(dev, config);
    each_slice(model, t, "", [](auto& weight, auto& value) { weight = value; });
    const IdPairs five = pairs(config.target_vocab);
    Corpus<Dev> corpus(dev, five, {});
    corpus.set_batches(dev, {{0, 1, 2, 3, 4}});
    Workers workers(2);
    TrainingStep<Dev> training(model, corpus, micro_batches, smoothing, optimiser, workers);
    for (std::uint32_t step = 1; step <= steps; ++step) {
      const StepResult r = training.run(0, {20170612, step, 1e-2});
      t.vector("losses")[step - 1] = static_cast<typename Dev::Real>(r.loss);
      t.vector("norms")[step - 1] = static_cast<typename Dev::Real>(r.gradient_norm);
    }
    each_slice(model, t, ".after", [](auto& weight, auto& value) { value = weight; });
  }
  template <class Dev>
  void backward(Dev&, const Cache<Dev>&, Tensors<Dev>&) const {}

 private:
  static std::int32_t word(std::size_t k, std::size_t vocab) {
    return static_cast<std::int32_t>(4 + k % (vocab - 4));
  }

  template <class Dev, class F>
  static void each_slice(Model<Dev>& model, Tensors<Dev>& t, const std::string& end, F&& f) {
    for (const Slice& s : model.layout.slices()) {
      auto* const weights = model.flat().data + s.offset;
      const std::size_t columns = s.shape.back();
      if (s.shape.size() == 1) {
        const auto v = t.vector(s.name + end);
        for (std::size_t i = 0; i < columns; ++i) f(weights[i], v[i]);
      } else {
        const auto v = t.matrix(s.name + end);
        for (std::size_t i = 0; i < s.size(); ++i) f(weights[i], v.row(i / columns)[i % columns]);
      }
    }
  }
};

/// Training runs on the devices that have a backward pass, and is compared in double.
inline Component training(const TrainingCase& c) {
  return {
      describe(c), {runner<Reference<double>>("Reference<double>", c), runner<Cpu<double>>("Cpu<double>", c)}, {}};
}

}  // namespace gradus::test
