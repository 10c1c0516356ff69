#include "measure/gpu_check/timing.hpp"

#include <ostream>

#include "measure/gpu_check/corpus.hpp"
#include "measure/gpu_check/models.hpp"

namespace gradus::test {

TimingSizes TimingSizes::tiny() { return {{24, 40}, {6, 10}, 256, 8, 8, 2, 3, {2}, 2, true}; }

void TimingTable::group(const std::string& name, const std::function<void()>& f) {
  groups_.emplace_back(name, Members{});
  several(name, f);
}

void TimingTable::several(const std::string& name, const std::function<void()>& f) {
  if (!parts_.guard(name, f)) save_();
}

void TimingTable::add(const std::string& name, const std::function<Timing()>& measure, double amount,
                      const std::string& unit) {
  parts_.run(name, [&] {
    const Timing timing = measure();
    const double rate = amount / timing.median;
    groups_.back().second.emplace_back(name, json_line(Members{{"median_ms", json(1e3 * timing.median)},
                                                               {"least_ms", json(1e3 * timing.least)},
                                                               {"rate", json(rate)},
                                                               {"unit", json(unit)}}));
    log_ << name << ": " << 1e3 * timing.median << " ms, " << rate << " " << unit << std::endl;
  });
  save_();
}

Members TimingTable::groups() const {
  Members all;
  for (const auto& [name, rows] : groups_) all.emplace_back(name, json(rows));
  if (!parts_.failed().empty()) all.emplace_back("failed", json(parts_.failed()));
  return all;
}

Outcome time_all(const TimingOptions& options, std::ostream& log) {
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
  Members head{
      {"how",
       json("wall clock around many calls and a wait; median and least of the repetitions; rates by the median")},
      {"repetitions", json(static_cast<double>(options.repetitions))},
      {"parameters", json(static_cast<double>(parameter_count(model)))},
      {"sentences", json(options.ids.empty() ? "made, as long as Multi30k's" : "of a file of ids")}};
  if (device_name() == "host layer") {
    head.emplace_back("note", json("kernels run on the processor, one fiber a thread: these times mean nothing"));
  }
  TimingTable table(options.parts, log, [&] {
    if (options.result.empty()) return;
    Members section = head;
    for (auto& group : table.groups()) section.push_back(std::move(group));
    write_result(options.result, "times", json(section));
  });
  table.group("ceilings", [&] { time_ceilings(watch, sizes, model, table); });
  table.group("kernels", [&] { time_kernels(watch, sizes, model, pairs, table); });
  table.group("step", [&] { time_steps(watch, sizes, model, pairs, table); });
  table.group("translation", [&] { time_translation(watch, sizes, model, pairs, table); });
  table.group("early starts", [&] { time_early_starts(watch, sizes, model, pairs, table); });
  return table.outcome();
}

}  // namespace gradus::test
