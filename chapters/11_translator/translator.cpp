#include "11_translator/translator.hpp"

#include <algorithm>
#include <string_view>

#include "11_translator/explain_translation.hpp"
#include "11_translator/pictures/attention_weights.hpp"
#include "11_translator/search.hpp"
#include "11_translator/teacher_forced.hpp"
#include "gradus/device/device.hpp"

namespace gradus {
namespace {

using Dev = Cpu<float>;

/// A piece as a label: SentencePiece's U+2581, the space before a word, is an underscore.
std::string readable(const Tokenizer& words, std::int32_t id) {
  if (id == Tokenizer::bos) return "<bos>";
  if (id == Tokenizer::eos) return "<eos>";
  std::string piece = words.piece(id);
  const std::string mark = "\u2581";
  for (auto at = piece.find(mark); at != std::string::npos; at = piece.find(mark))
    piece.replace(at, mark.size(), "_");
  return piece;
}

}  // namespace

/// The one place that decides on what a translator runs.
struct Translator::Impl : TranslatorModel<Dev> {
  using TranslatorModel<Dev>::TranslatorModel;
};

Translator::Translator(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

Translator Translator::load(const std::string& folder) {
  return Translator(std::make_shared<const Impl>(load_model(folder)));
}

Translator Translator::of(const ModelFiles& model) { return Translator(std::make_shared<const Impl>(model)); }

std::size_t Translator::parameters() const { return impl_->model.layout.size(); }

std::string Translator::translate(const std::string& sentence) const {
  return translate(std::vector<std::string>{sentence}, {}).front().front().text;
}

std::vector<std::vector<TranslatedText>> Translator::translate(const std::vector<std::string>& sentences,
                                                               const TranslateOptions& options) const {
  std::vector<Sentence> sources;
  std::vector<std::size_t> place;  // of each source among the sentences
  std::vector<std::vector<TranslatedText>> result(sentences.size(), {TranslatedText{}});
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    Sentence source = impl_->source(sentences[i], result[i][0].cut);
    if (source.size() == 1) continue;  // nothing but <eos>: an empty line stays one
    sources.push_back(std::move(source));
    place.push_back(i);
  }
  Workers workers(std::max<std::size_t>(1, options.threads));
  const auto found =
      translate_ids<Dev>(workers, impl_->model.params, impl_->model.config, sources, search_options(options));
  for (std::size_t k = 0; k < found.size(); ++k) {
    const bool cut = result[place[k]][0].cut;
    result[place[k]].clear();
    for (const Translation& t : found[k]) {
      const double mean = t.log_prob / static_cast<double>(t.log_probs.size());
      result[place[k]].push_back(
          {impl_->words.target.decode(t.words), t.score, mean, cut, mean < impl_->unusual_below});
    }
  }
  return result;
}

AttentionRecord Translator::attention(const std::string& sentence, const TranslateOptions& options) const {
  AttentionRecord record;
  bool cut = false;
  const Sentence source = impl_->source(sentence, cut);
  if (source.size() > 1) {  // more than <eos>
    Workers workers(1);
    const auto& model = impl_->model;
    const Translation best =
        translate_ids<Dev>(workers, model.params, model.config, {source}, search_options(options)).front().front();
    const auto source_name = [&](std::int32_t id) { return readable(impl_->words.source, id); };
    const auto target_name = [&](std::int32_t id) { return readable(impl_->words.target, id); };
    Dev dev;
    record = attention_record(dev, source, best.words, model.params, model.config, {source_name, target_name});
    record.translation = impl_->words.target.decode(best.words);
  }
  record.source_text = sentence;
  return record;
}

Explanation Translator::explain(const std::string& sentence, const TranslateOptions& options) const {
  return explain_translation<Dev>(*impl_, sentence, options);
}

TeacherForced Translator::teacher_forced(const std::vector<std::string>& sources,
                                         const std::vector<std::string>& references, std::size_t threads) const {
  return gradus::teacher_forced<Dev>(*impl_, sources, references, threads);
}

}  // namespace gradus
