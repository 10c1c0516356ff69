#include "app/bench/bench_report.hpp"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "gradus/util/plural.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

// Below this share the times of the clock are too long: other programs had the processor.
constexpr double quiet_share = 0.95;

std::string text(const char* format, double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

/// A number with three or four digits that count.
std::string three_digits(double value) { return text(value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value); }

std::string line(const std::string& name, const Spread& s, const char* unit) {
  char buffer[128];
  std::snprintf(buffer, sizeof buffer, "  %-22s %9s %-14s %s to %s\n", name.c_str(), three_digits(s.median).c_str(),
                unit, three_digits(s.least).c_str(), three_digits(s.most).c_str());
  return buffer;
}

Spread milliseconds(const Samples& samples, std::size_t count) {
  const Spread s = samples.time();
  const double factor = 1e3 / static_cast<double>(count);
  return {factor * s.median, factor * s.least, factor * s.most};
}

std::string name_of_search(const SearchFigures& s) {
  return s.beam_size == 1 ? "greedy" : "beam " + std::to_string(s.beam_size);
}

Spread products(const BenchFigures& f) { return f.products.rate(BenchFigures::product_operations / 1e9); }

std::string load_text(const BenchFigures& f) {
  const double share = f.processor_share();
  const std::string percent = text("%.0f", 100 * share);
  if (share >= quiet_share) return "The processor time is " + percent + " % of the time: hardly any other load.\n";
  return "The processor time is only " + percent +
         " % of the time: other programs were running.\nMeasure again when the machine is quiet.\n";
}

Json spread_json(const Spread& s) {
  const auto rounded = [](double x) { return std::round(1e4 * x) / 1e4; };
  return {{"median", rounded(s.median)}, {"least", rounded(s.least)}, {"most", rounded(s.most)}};
}

/// The mean with two decimals.
double tokens_per_sentence(std::size_t tokens, std::size_t sentences) {
  return std::round(100 * static_cast<double>(tokens) / static_cast<double>(sentences)) / 100;
}

const char* weights_text(const BenchFigures& f) {
  return f.weights == SearchWeights::int8 ? "weights of 8 bits" : "weights of float";
}

}  // namespace

std::string bench_text(const BenchRequest& r, const BenchConditions& c, const BenchFigures& f) {
  std::string out = "model      " + printable(c.model) + "\ntext       " + printable(c.text) + ": " +
                    plural(f.sentences, "sentence") + ", " + plural(c.source_words, "word") + "\nmachine    " +
                    c.processor + "\n           device " + c.device + ", " + weights_text(f) + ", BLAS kernels " +
                    c.blas_core + "\nrounds     " + std::to_string(f.rounds) +
                    " after one to warm up: median, smallest to largest\n\n";
  out += line("loading", milliseconds(f.loading, 1), "ms");
  out += line("product of matrices", products(f), "GFLOP/s");
  out += "\nin batches, " + plural(r.threads, "thread") + "\n";
  for (const SearchFigures& s : f.searches) {
    out += line(name_of_search(s), s.batch.rate(static_cast<double>(f.sentences)), "sentences/s");
    out += line("", s.batch.rate(static_cast<double>(s.batch_tokens)), "tokens/s");
  }
  out += "\none sentence at a time (" + std::to_string(f.singles) + "), 1 thread\n";
  for (const SearchFigures& s : f.searches)
    out += line(name_of_search(s), milliseconds(s.single, f.singles), "ms a sentence");
  return out + "\n" + load_text(f);
}

std::string bench_json(const BenchRequest& r, const BenchConditions& c, const BenchFigures& f) {
  Json searches = Json::array();
  for (const SearchFigures& s : f.searches) {
    searches.push_back({{"beam_size", s.beam_size},
                        {"tokens_per_sentence", tokens_per_sentence(s.batch_tokens, f.sentences)},
                        {"sentences_per_second", spread_json(s.batch.rate(static_cast<double>(f.sentences)))},
                        {"tokens_per_second", spread_json(s.batch.rate(static_cast<double>(s.batch_tokens)))},
                        {"tokens_per_sentence_alone", tokens_per_sentence(s.single_tokens, f.singles)},
                        {"ms_per_sentence_alone", spread_json(milliseconds(s.single, f.singles))}});
  }
  const Json json{{"model", r.model},
                  {"text", {{"name", c.text}, {"sentences", f.sentences}, {"words", c.source_words}}},
                  {"alone", f.singles},
                  {"processor", c.processor},
                  {"device", c.device},
                  {"weights", f.weights == SearchWeights::int8 ? "int8" : "float"},
                  {"blas_core", c.blas_core},
                  {"threads", r.threads},
                  {"rounds", f.rounds},
                  {"loading_ms", spread_json(milliseconds(f.loading, 1))},
                  {"products_gflops", spread_json(products(f))},
                  {"searches", searches},
                  {"processor_share", std::round(1000 * f.processor_share()) / 1000},
                  {"peak_memory_mb", std::round(static_cast<double>(f.peak_memory) / 1e6)}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gradus
