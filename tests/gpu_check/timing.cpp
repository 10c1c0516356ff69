#include "gpu_check/timing.hpp"

#include <ostream>

#include "gpu_check/corpus.hpp"
#include "gpu_check/models.hpp"
#include "gradus/gpu/runtime.hpp"

namespace gradus::test {

TimingSizes TimingSizes::tiny() { return {{24, 40}, {6, 10}, 256, 8, 8, 2, 3, {2}, 2, true}; }

void TimingTable::add(const std::string& name, const Timing& timing, double amount, const std::string& unit) {
  const double rate = amount / timing.median;
  rows_.emplace_back(name, json_line(Members{{"median_ms", json(1e3 * timing.median)},
                                             {"least_ms", json(1e3 * timing.least)},
                                             {"rate", json(rate)},
                                             {"unit", json(unit)}}));
  log_ << name << ": " << 1e3 * timing.median << " ms, " << rate << " " << unit << std::endl;
}

std::string TimingTable::section() {
  std::string text = json(rows_);
  rows_.clear();
  return text;
}

void time_all(const TimingOptions& options, std::ostream& log) {
  const TimingSizes sizes = options.is_tiny ? TimingSizes::tiny() : TimingSizes{};
  IdCorpus corpus{6000, 6000, {}};
  if (!options.ids.empty()) {
    corpus = read_ids(options.ids);
  } else {
    if (options.is_tiny) corpus.source_vocab = corpus.target_vocab = 40;
    corpus.parts["train"] = made_pairs(sizes.batches * sizes.tokens.back() / 10, corpus.source_vocab);
  }
  if (corpus.parts.count("train") == 0) fail(options.ids + " has no part [train]");
  const ModelConfig model = base_model(corpus.source_vocab, corpus.target_vocab, 0.3, options.is_tiny);
  std::size_t dropped = 0;
  const IdPairs pairs = without_too_long(corpus.parts.at("train"), sizes.tokens.front(), dropped);

  const Stopwatch watch(options.repetitions, options.seconds);
  TimingTable table(log);
  Members section{
      {"how",
       json("wall clock around many calls and a wait; median and least of the repetitions; rates by the median")},
      {"repetitions", json(static_cast<double>(options.repetitions))},
      {"parameters", json(static_cast<double>(parameter_count(model)))},
      {"sentences", json(options.ids.empty() ? "made, as long as Multi30k's" : "of a file of ids")}};
  if (gpu::device_text() == "host layer") {
    section.emplace_back("note",
                         json("kernels run on the processor, one fiber a thread: these times mean nothing"));
  }
  const auto group = [&](const char* name) {
    section.emplace_back(name, table.section());
    if (!options.result.empty()) write_result(options.result, "times", json(section));
  };
  time_ceilings(watch, sizes, model, table);
  group("ceilings");
  time_kernels(watch, sizes, model, pairs, table);
  group("kernels");
  time_steps(watch, sizes, model, pairs, table);
  group("step");
  time_translation(watch, sizes, model, pairs, table);
  group("translation");
}

}  // namespace gradus::test
