#include "chapters/10_training/model_case.hpp"
#include "chapters/10_training/training_case.hpp"
#include "support/expect.hpp"
#include "wrong/training.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// The bounds of a whole model: rounding adds up through its layers.
Bounds model_bounds() {
  Bounds b;
  b.finite_differences = 1e-6;
  b.dual = 1e-10;
  b.golden = 1e-10;
  return b;
}

ModelCase model_case(Norm norm, double rate) {
  return {{small_model(norm, Tying::all, rate)}, 0.1, "model_" + placement(norm)};
}

/// The sum of all slots' gradients after one step, dropout on.
template <class Dev>
std::vector<double> gradient_of_step(std::size_t micro_batches, double& loss) {
  const ModelConfig config = small_model(Norm::pre, Tying::all);
  Dev dev;
  Model<Dev> model(dev, config);
  initialise(dev, model.flat(), model.layout, {});
  Workers workers(2);
  const IdPairs pairs = TrainingCase::pairs(config.target_vocab);
  Corpus<Dev> corpus(dev, pairs, {});
  corpus.set_batches(dev, {{4, 0, 3, 1, 2}});
  TrainingStep<Dev> training(model, corpus, micro_batches, 0.1, {}, workers);
  loss = training.run(0, {7, 3, 1e-3}).loss;
  const auto g = training.slot(0).gradients.flat();
  return {g.data, g.data + g.extent[0]};
}

}  // namespace

TEST_CASE("the whole model with its loss: finite differences and dual numbers agree with backward", "[gradients]") {
  for (const Norm norm : {Norm::pre, Norm::post}) {
    const Component judged = component(model_case(norm, 0.3));
    expect(gradients(judged, model_bounds()));
  }
}

TEST_CASE("the whole model with its loss: every device is the reference") {
  for (const Norm norm : {Norm::pre, Norm::post}) {
    const Component judged = component(model_case(norm, 0.3));
    for (const Runner& r : judged.devices) expect(parity(judged, r));
  }
}

TEST_CASE("the whole model: loss and all gradients as PyTorch computes them, dropout off and on") {
  for (const Norm norm : {Norm::pre, Norm::post}) {
    const std::string name = "model_" + placement(norm);
    expect(golden(component(model_case(norm, 0)), name, model_bounds()));
    expect(golden(component(model_case(norm, 0.3)), name + "_dropped", model_bounds()));
  }
}

namespace {

/// Vocabularies, depths and rates of dropout that all differ.
ModelConfig unequal_model(Norm norm) {
  ModelConfig c = small_model(norm, Tying::output);
  c.source_vocab = 9;
  c.encoder_layers = 1;
  c.embedding_rate = 0.1, c.attention_rate = 0.2, c.activation_rate = 0.3, c.residual_rate = 0.4;
  return c;
}

}  // namespace

TEST_CASE("the whole model: right where no size of one side is that of the other, and no rate is another's") {
  const ModelCase the_case{{unequal_model(Norm::pre), {{5, 0, 2, 1}, {2, 1, 0, 3}, 1, 3}}, 0.1, "model_uneven"};
  const Component judged = component(the_case);
  expect(golden(judged, "model_uneven", model_bounds()));
  for (const Runner& r : judged.devices) {
    expect(parity(judged, r));
    if (r.is_double) expect(dual_numbers(judged, r, model_bounds()));
  }
}

TEST_CASE("the whole model: a bias of the output layer, one after W_O alone, and decay of every parameter") {
  ModelCase the_case{{small_model(Norm::post, Tying::output, 0)}, 0.1, "model_biased"};
  ModelConfig& config = the_case.model.config;
  config.source_vocab = 9, config.encoder_layers = 1;
  config.output_bias = config.attention_output_bias = true;
  const Component judged = component(the_case);
  expect(golden(judged, "model_biased", model_bounds()));
  for (const Runner& r : judged.devices) {
    expect(parity(judged, r));
    if (r.is_double) expect(dual_numbers(judged, r, model_bounds()));
  }
  TrainingCase trained{config};
  trained.config.norm = Norm::pre, trained.config.tying = Tying::none;
  trained.optimiser.kind = Optimiser::sgd;
  trained.optimiser.sgd = {0.6, {0.5, 0.1, Decay::coupled, 0}};
  trained.optimiser.decays_all = true;
  for (const std::size_t micro_batches : {1, 3}) {
    trained.micro_batches = micro_batches;
    expect(golden(training(trained), "training_biased", model_bounds()));
  }
}

TEST_CASE("training: ten steps of SGD, clipped, with momentum and decay, end where PyTorch's end") {
  TrainingCase uneven{unequal_model(Norm::post)};
  uneven.optimiser.kind = Optimiser::sgd;
  uneven.optimiser.sgd = {0.6, {0.5, 0.1, Decay::coupled, 0}};
  for (const std::size_t micro_batches : {1, 2, 7}) {
    uneven.micro_batches = micro_batches;
    expect(golden(training(uneven), "training_uneven", model_bounds()));
  }
}

TEST_CASE("training: ten steps of Adam end where PyTorch's end, for one micro-batch and for three") {
  AdamOptions decoupled;
  decoupled.update.clip = 0.5;
  decoupled.update.weight_decay = 0.1;
  TrainingCase pre{small_model(Norm::pre, Tying::all, 0)}, post{small_model(Norm::post, Tying::all, 0)},
      dropped{small_model(Norm::pre, Tying::none, 0.3)},
      ssru{small_model(Norm::pre, Tying::none, 0.3, DecoderUnit::ssru)};
  pre.optimiser.adam = dropped.optimiser.adam = ssru.optimiser.adam = decoupled;
  for (const std::size_t micro_batches : {1, 3}) {
    for (TrainingCase* c : {&pre, &post, &dropped, &ssru}) c->micro_batches = micro_batches;
    expect(golden(training(pre), "training_pre", model_bounds()));
    expect(golden(training(post), "training_post", model_bounds()));
    expect(golden(training(dropped), "training_dropped", model_bounds()));
    expect(golden(training(ssru), "training_ssru", model_bounds()));
  }
}

TEST_CASE("training: the gradient does not depend on how a batch is cut, dropout on") {
  double one_loss = 0, three_loss = 0, many_loss = 0;
  const auto one = gradient_of_step<Cpu<double>>(1, one_loss), three = gradient_of_step<Cpu<double>>(3, three_loss),
             many = gradient_of_step<Cpu<double>>(9, many_loss);  // some of the nine are empty
  CHECK(relative_error(one, three) <= 1e-12);
  CHECK(relative_error(one, many) <= 1e-12);
  CHECK(one_loss == Approx(three_loss).epsilon(1e-13));
  CHECK(one_loss == Approx(many_loss).epsilon(1e-13));
  double mean_of_means = 0;  // the mistake that this test detects
  CHECK(relative_error(one, gradient_of_step<wrong::MeanPerMicroBatch<Cpu<double>>>(3, mean_of_means)) > 0.1);
}

TEST_CASE("the whole model: after one backward pass every parameter has a gradient, and padding has none") {
  for (const Norm norm : {Norm::pre, Norm::post}) {
    ModelCase c{{small_model(norm, Tying::none, 0), {{4, 3}, {3, 4}, 0, 0}}};
    c.model.config.activation = Activation::gelu;  // a ReLU that is off for every token passes no gradient on
    const Component judged = component(c);
    const std::size_t D = c.model.config.d_model;
    for (const Runner& r : judged.devices) {
      const Run run = r.run(random_values(judged.description), {});
      CHECK(run.gradient.size() == c.model.layout().slices().size());
      for (const auto& [name, gradient] : run.gradient) {
        INFO(r.device << ", " << name);
        const bool is_embedding = name == "source_embedding" || name == "target_embedding";
        for (std::size_t i = 0; is_embedding && i < D; ++i) CHECK(gradient[i] == 0.0);
        // except in the tables, whose rows depend on their words, every element has a gradient
        const auto zeros = std::count(gradient.begin(), gradient.end(), 0.0);
        CHECK((is_embedding ? zeros < static_cast<std::ptrdiff_t>(gradient.size()) : zeros == 0));
      }
    }
  }
}
