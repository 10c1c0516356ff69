#include "11_translator/training/finished_report.hpp"

#include <algorithm>

#include "02_positional_encoding/sinusoids.hpp"
#include "11_translator/bleu.hpp"
#include "11_translator/chrf.hpp"
#include "11_translator/translator.hpp"
#include "gradus/device/device.hpp"
#include "gradus/plot/ticks.hpp"

namespace gradus {
namespace {

constexpr std::size_t sentences_of_attention = 4, shortest = 4, longest = 14;  // tokens, so that labels can be read
constexpr std::size_t examples = 5, positions = 64;

std::vector<AttentionRecord> attention(const Translator& translator, const TrainingData& data) {
  std::vector<AttentionRecord> records;
  for (const std::string& line : data.valid_lines.source) {
    const std::size_t tokens = data.tokenizers.source.encode(line).size();
    if (tokens < shortest || tokens > longest) continue;
    records.push_back(translator.attention(line));
    if (records.size() == sentences_of_attention) break;
  }
  return records;
}

/// The first rows of the table, (P, D).
std::vector<float> position_rows(std::size_t width) {
  Cpu<float> dev;
  const auto table = dev.kept.matrix(positions, width);
  sinusoids(dev, table);
  std::vector<float> rows;
  read(dev, rows, In<Cpu<float>, 1>(as_vector(table)));
  return rows;
}

}  // namespace

ReportData finished_report(const TrainingRequest& request, const TrainingData& data,
                           const TrainingHistory& history) {
  const LinePairs& lines = data.valid_lines;
  const Translator translator = Translator::load(request.output);
  TranslateOptions options;
  options.threads = request.threads;
  std::vector<std::string> said;
  std::vector<ScoredTranslation> scored;
  for (const auto& best : translator.translate(lines.source, options)) {
    const std::string &reference = lines.target[said.size()], &source = lines.source[said.size()];
    said.push_back(best.front().text);
    scored.push_back({source, reference, said.back(), chrf_score(chrf_statistics(said.back(), reference))});
  }
  std::stable_sort(scored.begin(), scored.end(),
                   [](const ScoredTranslation& a, const ScoredTranslation& b) { return a.score > b.score; });
  const auto count = static_cast<std::ptrdiff_t>(std::min(examples, scored.size() / 2));

  ReportData report;
  report.title = request.title;
  report.history = history;
  report.model = request.model;
  report.scores = {{"BLEU of the validation text, beam 5", corpus_bleu(said, lines.target).score},
                   {"chrF2 of the same", corpus_chrf(said, lines.target)}};
  report.facts = {{"training pairs", tick_text(static_cast<double>(data.pairs.size()))},
                  {"validation pairs", tick_text(static_cast<double>(data.valid.size()))},
                  {"units", request.tokenizer.kind == TokenizerKind::word ? "words" : "subwords (SentencePiece)"},
                  {"seed", std::to_string(request.plan.seed)}};
  report.positions = position_rows(request.model.d_model);
  report.attention = attention(translator, data);
  report.best.assign(scored.begin(), scored.begin() + count);
  report.worst.assign(scored.rbegin(), scored.rbegin() + count);
  return report;
}

}  // namespace gradus
