#include "11_translator/training/measure_results.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "11_translator/metrics/bleu.hpp"
#include "11_translator/metrics/chrf.hpp"
#include "11_translator/translator/translator.hpp"
#include "gradus/plot/ticks.hpp"

namespace gradus {
namespace {

constexpr std::size_t sentences_of_attention = 4, shortest = 4, longest = 14;  // tokens, so that labels can be read
constexpr std::size_t examples = 5;

std::vector<std::string> short_sentences(const TrainingData& data) {
  std::vector<std::string> some;
  for (const std::string& line : data.valid_lines.source) {
    const std::size_t tokens = data.tokenizers.source.encode(line).size();
    if (tokens >= shortest && tokens <= longest) some.push_back(line);
    if (some.size() == sentences_of_attention) break;
  }
  return some;
}

/// How often each length occurs among `count` sentences.
template <class Length>
Lengths lengths(const std::string& name, std::size_t count, const Length& of) {
  Lengths l{name, {}};
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t length = of(i);
    l.counts.resize(std::max(l.counts.size(), length + 1));
    ++l.counts[length];
  }
  return l;
}

Lengths lengths(const std::string& name, const std::vector<std::vector<int>>& sentences) {
  return lengths(name, sentences.size(), [&](std::size_t i) { return sentences[i].size(); });
}

/// The entry about the weights in the model's metadata.
void add_metadata(RunResults& r, const std::string& folder) {
  const auto metadata = nlohmann::json::parse(stored_metadata(folder + "/model.json"));
  if (metadata.contains("validation loss")) {
    const double loss = metadata["validation loss"];
    r.scores.push_back({"validation loss", loss, 4});
    r.scores.push_back({"perplexity", std::exp(loss), 2});
  }
  r.facts.emplace_back("weights", metadata.at("weights"));
}

}  // namespace

RunResults measure_results(const TrainingRequest& request, const TrainingData& data) {
  const LinePairs& lines = data.valid_lines;
  const PairsView pairs = data.training_pairs();
  const TextRules& rules = data.tokenizers.target.rules();
  const std::vector<std::string> references = comparable(rules, lines.target);
  BleuOptions of_bleu;
  ChrfOptions of_chrf;
  of_bleu.lowercase = of_chrf.lowercase = rules.lower_case;
  of_bleu.tokenizer = fitting_tokenizer({references});
  const auto options = TranslateOptions::same_bits(request.threads);
  std::vector<std::string> output;
  std::vector<ScoredTranslation> scored;
  for (const auto& best : Translator::load(request.output, request.device).translate(lines.source, options)) {
    const std::size_t line = output.size();
    output.push_back(best.front().text);
    scored.push_back({lines.source[line], lines.target[line], output.back(),
                      chrf_score(chrf_statistics(output.back(), references[line], of_chrf))});
  }
  std::stable_sort(scored.begin(), scored.end(),
                   [](const ScoredTranslation& a, const ScoredTranslation& b) { return a.score > b.score; });
  const auto count = static_cast<std::ptrdiff_t>(std::min(examples, scored.size() / 2));

  RunResults r;
  r.title = request.title;
  r.weights = weights_sha256(request.output);
  r.facts = {{"training pairs", tick_text(static_cast<double>(pairs.size()))},
             {"validation pairs", tick_text(static_cast<double>(data.valid.size()))},
             {"units", request.tokenizer.kind == TokenizerKind::word ? "words" : "subwords (SentencePiece)"}};
  const std::string of_text = std::string(" of the validation text, beam 5") +
                              (rules.lower_case ? ", without case" : "") +
                              (rules.punctuation ? "" : ", without punctuation");
  const bool has_usual_words = of_bleu.tokenizer == BleuTokenizer::v13a;
  const std::string of_words =
      has_usual_words ? std::string() : std::string(", tokenizer ") + name_of(of_bleu.tokenizer);
  r.scores = {{"BLEU" + of_text + of_words, corpus_bleu(output, references, of_bleu).score},
              {"chrF2" + of_text, corpus_chrf(output, references, of_chrf)}};
  add_metadata(r, request.output);
  r.best.assign(scored.begin(), scored.begin() + count);
  r.worst.assign(scored.rbegin(), scored.rbegin() + count);
  r.attention = short_sentences(data);
  Workers workers(std::max<std::size_t>(1, request.threads));
  r.lengths = {lengths("training source", pairs.size(), [&](std::size_t i) { return pairs.source_tokens(i) - 1; }),
               lengths("training target", pairs.size(), [&](std::size_t i) { return pairs.target_tokens(i) - 1; }),
               lengths("references", encoded(data.tokenizers.target, lines.target, workers)),
               lengths("translations", encoded(data.tokenizers.target, output, workers))};
  return r;
}

}  // namespace gradus
