#include "app/report/report_tables.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "gradus/plot/line_chart.hpp"
#include "gradus/plot/markup.hpp"
#include "gradus/plot/ticks.hpp"

namespace gradus {
namespace {

/// At most twelve indices, evenly spread, with the best and the last.
std::set<std::size_t> chosen(const std::vector<ValidationRecord>& all) {
  constexpr std::size_t most = 12;
  std::set<std::size_t> places;
  const std::optional<std::size_t> best = best_validation(all);
  if (best) places.insert(*best);
  const std::size_t n = std::min(all.size(), all.size() > most ? most - 1 : most);
  for (std::size_t i = 0; i < n; ++i) places.insert(n == 1 ? 0 : i * (all.size() - 1) / (n - 1));
  return places;
}

std::string number_cell(const std::string& text) { return "<td class=\"number\">" + text + "</td>"; }
std::string number_head(const std::string& text) { return "<th class=\"number\">" + text + "</th>"; }

std::size_t sentences(const Lengths& l) {
  std::size_t sum = 0;
  for (const std::uint32_t count : l.counts) sum += count;
  return sum;
}

double mean(const Lengths& l) {
  double tokens = 0;
  for (std::size_t n = 0; n < l.counts.size(); ++n) tokens += static_cast<double>(n) * l.counts[n];
  return tokens / static_cast<double>(std::max<std::size_t>(1, sentences(l)));
}

/// Share of the sentences of each length, in %.
Series shares(const Lengths& l, std::size_t longest) {
  Series s;
  s.name = l.name;
  const double all = static_cast<double>(std::max<std::size_t>(1, sentences(l)));
  for (std::size_t n = 0; n <= longest; ++n) {
    s.x.push_back(static_cast<double>(n));
    s.y.push_back(n < l.counts.size() ? 100 * l.counts[n] / all : 0);
  }
  return s;
}

std::string lengths_picture(const std::string& title, const Lengths& one, const Lengths& other) {
  const std::size_t longest = std::max({one.counts.size(), other.counts.size(), std::size_t{2}}) - 1;
  LineChart chart;
  chart.title = title, chart.x_title = "tokens";
  chart.series = {shares(one, longest), shares(other, longest)};
  return "<figure>" + inline_svg(line_chart_svg(chart)) + "</figure>\n";
}

std::string clock_text(double seconds) {
  const long s = std::lround(seconds);
  char text[40];
  std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
  return text;
}

/// The distinct values of a field, in their order.
template <class Field>
std::string different(const RunTiming& timing, const Field& field) {
  std::vector<std::string> values;
  for (const TimedSession& s : timing) {
    if (std::find(values.begin(), values.end(), field(s)) == values.end()) values.push_back(field(s));
  }
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : "; ") + value;
  return text;
}

}  // namespace

std::string fact_list(const std::vector<std::pair<std::string, std::string>>& facts) {
  std::string html = "<dl>\n";
  for (const auto& [name, value] : facts) html += "<dt>" + escaped(name) + "</dt><dd>" + escaped(value) + "</dd>\n";
  return html + "</dl>\n";
}

std::string validations_table(const std::vector<ValidationRecord>& validations) {
  if (validations.empty()) return "";
  const std::optional<std::size_t> best = best_validation(validations);
  std::string html = "<table class=\"validations\"><tr>" + number_head("epoch") + number_head("step") +
                     number_head("validation loss") + number_head("perplexity") + number_head("BLEU, greedy") +
                     "<th></th></tr>\n";
  for (const std::size_t i : chosen(validations)) {
    const ValidationRecord& v = validations[i];
    html += std::string(i == best ? "<tr class=\"last\">" : "<tr>") + number_cell(std::to_string(v.epoch)) +
            number_cell(tick_text(v.step)) + number_cell(fixed(v.loss, 4)) +
            number_cell(fixed(std::exp(v.loss), 2)) + number_cell(fixed(v.bleu, 2)) + "<td>" +
            (i == best ? "best" : "") + "</td></tr>\n";
  }
  return html + "</table>\n";
}

std::string lengths_section(const std::vector<Lengths>& lengths) {
  if (lengths.empty()) return "";
  std::string html = "<h2>Lengths</h2>\n<div class=\"pair\">\n";
  for (std::size_t i = 0; i + 1 < lengths.size(); i += 2) {
    const char* const title = i == 0 ? "Training sentences, %" : "Validation sentences, %";
    html += lengths_picture(title, lengths[i], lengths[i + 1]);
  }
  html += "</div>\n<table class=\"lengths\"><tr><th>tokens of a sentence</th>" + number_head("sentences") +
          number_head("mean") + number_head("longest") + "</tr>\n";
  for (const Lengths& l : lengths) {
    html += "<tr><td>" + escaped(l.name) + "</td>" + number_cell(tick_text(static_cast<double>(sentences(l)))) +
            number_cell(fixed(mean(l), 2)) +
            number_cell(std::to_string(l.counts.empty() ? 0 : l.counts.size() - 1)) + "</tr>\n";
  }
  return html + "</table>\n";
}

std::vector<std::pair<std::string, std::string>> timing_facts(const RunTiming& timing) {
  double seconds = 0, validation = 0;
  std::uint64_t memory = 0;
  for (const TimedSession& s : timing) {
    seconds += s.seconds, validation += s.validation_seconds;
    memory = std::max(memory, s.peak_memory);
  }
  const std::string sessions = timing.size() == 1 ? "" : " in " + std::to_string(timing.size()) + " sessions";
  return {{"time", clock_text(seconds) + sessions + ", " + clock_text(validation) + " of it for validation"},
          {"speed",
           tick_text(std::round(tokens_per_second(timing))) + " tokens/s, source and target, without validation"},
          {"processor", different(timing, [](const TimedSession& s) { return s.processor; })},
          {"threads", different(timing, [](const TimedSession& s) { return std::to_string(s.threads); })},
          {"BLAS kernels", different(timing, [](const TimedSession& s) { return s.blas; })},
          {"device", different(timing, [](const TimedSession& s) { return s.device; })},
          {"peak memory", tick_text(std::round(static_cast<double>(memory) / 1e6)) + " MB"}};
}

std::vector<std::pair<std::string, std::string>> unknown_facts(const TrainingHistory& history) {
  if (!history.unknown) return {};
  const UnknownTokens& u = *history.unknown;
  const auto shares = [](const TokenCount& source, const TokenCount& target) {
    return fixed(100 * source.share(), 2) + " % of the sources, " + fixed(100 * target.share(), 2) +
           " % of the targets";
  };
  return {{"unknown tokens, training text", shares(u.train_source, u.train_target)},
          {"unknown tokens, validation text", shares(u.valid_source, u.valid_target)}};
}

std::string machine_section(const RunTiming& timing) {
  if (timing.empty()) return "";
  return "<section class=\"machine\">\n<h2>Time and machine</h2>\n" + fact_list(timing_facts(timing)) +
         "<p class=\"note\">The only part of this page that differs between equal runs.</p>\n</section>\n";
}

}  // namespace gradus
