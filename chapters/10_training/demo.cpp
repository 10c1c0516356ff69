// The tiny model learns: its targets, its loss, the gradient, one step by hand, and a whole training.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "07_encoder/tiny_model.hpp"
#include "09_transformer/greedy.hpp"
#include "10_training/data/tiny_corpus.hpp"
#include "10_training/demo_parts.hpp"
#include "10_training/trainer.hpp"

using namespace gradus;
using tiny::D;
using tiny::Device;

namespace {

constexpr double smoothing = 0.1;

Out<Device, 1> view(std::vector<double>& v) { return {v.data(), {v.size()}, v.size()}; }
In<Device, 2> as_row(const std::vector<double>& v) { return {v.data(), {1, v.size()}, v.size()}; }

/// `word`, filled with spaces up to eight columns; UTF-8 continuation bytes take none.
std::string padded(const std::string& word) {
  const auto width = std::count_if(word.begin(), word.end(), [](char c) { return (c & 0xC0) != 0x80; });
  return word + std::string(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, 8 - width)), ' ');
}

void print_row(const char* what, const std::vector<std::string>& words) {
  std::printf("  %-14s", what);
  for (const std::string& word : words) std::printf(" %s", padded(word).c_str());
  std::printf("\n");
}

void three_rows() {
  tiny::section("three rows");
  print_row("encoder input", tiny::words(tiny::english(), tiny::source_ids()));
  print_row("decoder input", tiny::words(tiny::german(), tiny::decoder_input_ids()));
  print_row("target", tiny::words(tiny::german(), tiny::target_ids()));
}

/// The decoder's output for the example, (Nt, D).
In<Device, 2> decoder_output(Device& dev, const Model<Device>& model) {
  static const SegmentTable sources = tiny::one_sentence(tiny::source_ids()),
                            targets = tiny::one_sentence(tiny::decoder_input_ids());
  TransformerCache<Device> cache;
  transformer_forward(dev, cache,
                      {tiny::view(tiny::source_ids()), sources.view(), tiny::view(tiny::decoder_input_ids()),
                       targets.view(), tiny::view(tiny::target_ids())},
                      model.params, model.config);
  return cache.output();
}

/// Probability, target probability and difference for each word, in the row whose target is "Katze"; and its loss.
void loss_of_a_row(Device& dev, In<Device, 2> x, const Model<Device>& model) {
  const std::size_t vocab = model.config.target_vocab, n = 1;
  const Out<Device, 2> z = dev.kept.matrix(1, vocab);
  output_forward(dev, z, rows(x, n, 1), model.params.output);
  double sum_of_exp = 0, loss = 0;
  for (std::size_t v = 0; v < vocab; ++v) sum_of_exp += std::exp(z.data[v]);
  tiny::section("the loss of one row");
  std::printf("after <bos> die; to be said: Katze\n  %-8s %8s %8s %8s %8s\n", "", "z", "p", "q", "p - q");
  for (std::size_t v = 0; v < vocab; ++v) {
    const bool is_target = static_cast<std::int32_t>(v) == tiny::target_ids()[n];
    const double p = std::exp(z.data[v]) / sum_of_exp,
                 q = smoothing / double(vocab) + (is_target ? 1 - smoothing : 0);
    loss -= q * std::log(p);
    std::printf("  %s %8.3f %8.3f %8.3f %8.3f\n", padded(tiny::german()[v]).c_str(), z.data[v], p, q, p - q);
  }
  std::printf("l = - sum of q log p = %.3f\n", loss);
}

/// The leaf on all four rows: mean loss and both gradients; returns the gradient of the table.
std::vector<double> gradients(Device& dev, In<Device, 2> x, const Model<Device>& model) {
  const std::size_t N = x.extent[0], vocab = model.config.target_vocab;
  const Out<Device, 2> dx = dev.kept.matrix(N, D);
  std::vector<double> loss{0}, dtable(vocab * D, 0.0);
  dev.set({1, 1, 0.01, 1.0 / double(N), 0, 0});
  output_loss(dev, view(loss), dx, {{dtable.data(), {vocab, D}, D}, {}}, x, model.params.output,
              tiny::view(tiny::target_ids()), smoothing);
  tiny::section("the loss of the sentence and its gradients");
  std::printf("mean over the four target tokens: %.3f\n", loss[0]);
  std::vector<double> hundredfold(dx.data, dx.data + N * D);
  for (double& g : hundredfold) g *= 100;
  tiny::print("100 dx (Nt, D), what the decoder gets back", {hundredfold.data(), {N, D}, D},
              tiny::words(tiny::german(), tiny::target_ids()));
  return dtable;
}

/// The first step of Adam on the output row of one word, from moments of zero.
void one_adam_step(Device& dev, const std::vector<double>& dtable) {
  const auto first = static_cast<std::ptrdiff_t>(tiny::target_ids()[1] * static_cast<std::int32_t>(D));
  const auto table = tiny::vector("output");
  std::vector<double> w(table.data + first, table.data + first + D), m(D, 0.0), v(D, 0.0), norm{0};
  const std::vector<double> g(dtable.begin() + first, dtable.begin() + first + D);
  std::int32_t status = 0;
  tiny::section("one step of Adam on the output row of Katze");
  std::printf("step 1, rate 0.01, beta1 0.9, beta2 0.98; every number times 100\n");
  const auto print = [](const char* name, std::vector<double> a) {
    for (double& x : a) x *= 100;
    tiny::print(name, as_row(a));
  };
  print("w", w);
  print("g", g);
  squared_norm(dev, view(norm), {g.data(), {D}, D});
  adam(dev, view(w), view(m), view(v), {&status, {1}, 1}, {g.data(), {D}, D}, {norm.data(), {1}, 1}, {});
  print("m = 0.1 g", m);
  print("sqrt(v) = sqrt(0.02) |g|", {std::sqrt(v[0]), std::sqrt(v[1]), std::sqrt(v[2]), std::sqrt(v[3])});
  print("w after: one hundredth against the sign of g, whatever its size", w);
}

void learning_rates() {
  tiny::section("learning rates");
  const ScheduleKind kinds[] = {ScheduleKind::constant, ScheduleKind::inverse_sqrt, ScheduleKind::linear,
                                ScheduleKind::cosine};
  std::printf("peak 1, warm-up 100 steps, 1000 steps in all\n  %5s", "step");
  for (const ScheduleKind kind : kinds) std::printf(" %12s", name_of(kind));
  std::printf("\n");
  for (const std::uint32_t step : {1, 25, 50, 100, 200, 400, 700, 1000}) {
    std::printf("  %5u", step);
    for (const ScheduleKind kind : kinds) std::printf(" %12.3f", learning_rate({kind, 1, 100, 1000}, step));
    std::printf("\n");
  }
}

/// The same for all schedules and closer steps. The plateau gets a validation every 50 steps; from step 400 on none
/// is better than the best.
void curves_of_learning_rates() {
  TrainingPlan plan;
  plan.schedule = {ScheduleKind::plateau, 1, 100, 1000};
  TrainingState state;
  tiny::section("learning rates of all schedules");
  std::printf("  %5s", "step");
  for (const auto& name : Names<ScheduleKind>::table) std::printf(" %12s", name.name);
  std::printf("\n");
  for (std::uint32_t step = 0; step <= 1000; step += 10) {
    std::printf("  %5u", step);
    for (const auto& name : Names<ScheduleKind>::table) {
      Schedule schedule = plan.schedule;
      schedule.kind = name.value;
      std::printf(" %12.3f", learning_rate(schedule, step, state.reductions));
    }
    std::printf("\n");
    if (step % 50 == 0 && step > 0) {
      ++state.validations;
      note_score(state, plan, std::min(step, 400U) / 100.0);
    }
  }
}

/// Sequences of three to six letters and, as their translations, the same backwards.
IdPairs backwards(std::size_t n, std::uint32_t stream) {
  constexpr std::uint32_t letters = 10;
  IdPairs pairs;
  for (std::uint32_t i = 0; i < n; ++i) {
    std::vector<std::int32_t> sequence(3 + philox({i, 0, stream, 0}, 1)[0] % 4);
    for (std::uint32_t j = 0; j < sequence.size(); ++j)
      sequence[j] = 4 + static_cast<std::int32_t>(philox({i, 1 + j, stream, 0}, 1)[0] % letters);
    pairs.source.push_back(sequence);
    pairs.target.emplace_back(sequence.rbegin(), sequence.rend());
  }
  return pairs;
}

/// A model that is trained too long on too few pairs: the loss of other pairs falls, and then rises.
void overfitting() {
  using Fast = Cpu<double>;
  const IdPairs training_pairs = backwards(100, 1), others = backwards(50, 2);
  ModelConfig config;
  config.source_vocab = config.target_vocab = 14;
  config.d_model = 32, config.heads = 2, config.ffn = 64, config.encoder_layers = config.decoder_layers = 1;
  Fast dev;
  Model<Fast> model(dev, config);
  initialise(dev, model.flat(), model.layout, {});
  Workers workers(1);
  std::vector<std::uint32_t> batch(training_pairs.size());
  for (std::uint32_t i = 0; i < batch.size(); ++i) batch[i] = i;
  Corpus<Fast> corpus(dev, training_pairs, {});
  corpus.set_batches(dev, {batch});
  TrainingStep<Fast> training(model, corpus, 1, 0, {}, workers);
  tiny::section("learning too long");
  std::printf("  %4s  %8s  %10s\n", "step", "training", "validation");
  for (std::uint32_t step = 0; step <= 200; ++step) {
    if (step > 0) training.run(0, {1, step, learning_rate({ScheduleKind::inverse_sqrt, 0.01, 30}, step)});
    if (step % 5 == 0)
      std::printf("  %4u  %8.3f  %10.3f\n", step, mean_loss(model, training_pairs, {}, workers),
                  mean_loss(model, others, {}, workers));
  }
}

/// 48 pairs in batches of eight, drawn by chance and sorted by length; what a rectangle around each would hold.
void batches_of_eight() {
  IdPairs pairs;
  for (std::uint32_t i = 0; i < 48; ++i) {
    const auto random = philox({i, 0, 3, 0}, 1);
    const std::size_t length = 4 + random[0] % 7 + random[1] % 7 + random[2] % 7;  // 4 to 22, mostly around 13
    pairs.source.emplace_back(length, 4);
    pairs.target.emplace_back(length, 4);
  }
  tiny::section("batches of eight");
  for (const auto& order : Names<BatchOrder>::table) {
    BatchOptions options;
    options.sentences = 8;
    options.order = order.value;
    std::size_t words = 0, places = 0;
    for (const auto& batch : make_batches(pairs, options, 1, 1)) {
      const BatchSize size = batch_size(batch, pairs);
      std::printf("  %-7s", order.name);
      for (const std::uint32_t i : batch) std::printf(" %2zu", pairs.target[i].size() + 1);
      std::printf("\n");
      words += size.target_rows;
      places += size.sentences * size.longest_target;
    }
    std::printf("  padding in rectangles: %.0f %%\n", 100 * (1 - double(words) / double(places)));
  }
}

/// From random weights to all six sentences.
void learning_by_heart(const TinyCorpus& corpus) {
  Device dev;
  Model<Device> model(dev, tiny_config(corpus));
  initialise(dev, model.flat(), model.layout, {});
  Workers workers(1);
  const Schedule schedule{ScheduleKind::inverse_sqrt, 0.03, 30};
  std::vector<std::uint32_t> batch(corpus.pairs.size());
  for (std::uint32_t i = 0; i < batch.size(); ++i) batch[i] = i;
  Corpus<Device> pairs(dev, corpus.pairs, {});
  pairs.set_batches(dev, {batch});
  TrainingStep<Device> training(model, pairs, 1, smoothing, {}, workers);
  tiny::section("learning by heart");
  std::printf("  %4s  %5s  %5s  %5s  the cat sleeps ->\n", "step", "rate", "loss", "norm");
  for (std::uint32_t step = 1; step <= 300; ++step) {
    const double rate = learning_rate(schedule, step);
    const StepResult r = training.run(0, {1, step, rate});
    if (step != 1 && step % 30 != 0) continue;
    const auto output = greedy_decode(dev, {tiny::source_ids()}, model.params, model.config);
    std::printf("  %4u  %.3f  %.3f  %.3f  %s\n", step, rate, r.loss, r.gradient_norm,
                corpus.target.decode(output[0]).c_str());
  }
}

}  // namespace

int main() {
  Device dev;
  const TinyCorpus corpus = load_tiny_corpus(GRADUS_CHAPTERS "/10_training/data/six_sentences.tsv");
  Model<Device> model(dev, tiny_config(corpus));
  tiny::load(dev, model.flat(), model.layout);

  three_rows();
  const In<Device, 2> x = decoder_output(dev, model);
  loss_of_a_row(dev, x, model);
  one_adam_step(dev, gradients(dev, x, model));
  learning_rates();
  curves_of_learning_rates();
  batches_of_eight();
  learning_by_heart(corpus);
  overfitting();
  demo::three_ranks();
  demo::what_travels();
  demo::when_ranks_pay();
}
