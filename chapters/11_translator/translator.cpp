#include "11_translator/translator.hpp"

#include <algorithm>
#include <string_view>

#include "09_transformer/model.hpp"
#include "11_translator/cross_attention_weights.hpp"
#include "11_translator/model_files.hpp"
#include "11_translator/search.hpp"
#include "gradus/device/device.hpp"

namespace gradus {
namespace {

using Dev = Cpu<float>;

SearchOptions search_options(const TranslateOptions& o) {
  SearchOptions s;
  s.width = o.beam_size;
  s.n_best = o.n_best;
  s.length_penalty = o.length_penalty;
  return s;
}

}  // namespace

struct Translator::Impl {
  explicit Impl(const ModelFiles& files)
      : subwords(Subwords::from_bytes(files.subword_bytes)), model(dev, files.config) {
    if (static_cast<std::size_t>(subwords.size()) != files.config.source_vocab ||
        files.config.source_vocab != files.config.target_vocab) {
      fail("the model has " + std::to_string(files.config.source_vocab) + " words, its subwords are " +
           std::to_string(subwords.size()));
    }
    write(dev, model.flat(), files.weights);
  }

  /// The ids of a sentence with <eos>, cut to what the model has positions for.
  Sentence source(const std::string& text, bool& cut) const {
    Sentence ids = subwords.encode(text);
    const std::size_t longest = model.config.max_length - 1;
    cut = ids.size() > longest;
    if (cut) ids.resize(longest);
    ids.push_back(Subwords::eos);
    return ids;
  }

  Dev dev;  // of the weights; searches bring devices of their own
  Subwords subwords;
  Model<Dev> model;
};

Translator::Translator(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

Translator Translator::load(const std::string& folder) {
  return Translator(std::make_shared<const Impl>(load_model(folder)));
}

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
    for (const Translation& t : found[k])
      result[place[k]].push_back({impl_->subwords.decode(t.words), t.score, cut});
  }
  return result;
}

AttentionPicture Translator::explain(const std::string& sentence, const TranslateOptions& options) const {
  bool cut = false;
  const Sentence source = impl_->source(sentence, cut);
  Workers workers(1);
  const auto& model = impl_->model;
  const Translation best =
      translate_ids<Dev>(workers, model.params, model.config, {source}, search_options(options)).front().front();
  Dev dev;
  const AttentionWeights w = cross_attention_weights(dev, source, best.words, model.params, model.config);

  AttentionPicture picture;
  for (const auto id : source) picture.source.push_back(id == Subwords::eos ? "<eos>" : impl_->subwords.piece(id));
  for (const auto id : best.words) picture.target.push_back(impl_->subwords.piece(id));
  picture.target.emplace_back("<eos>");
  picture.weights.assign(w.targets, std::vector<double>(w.sources, 0.0));
  for (std::size_t t = 0; t < w.targets; ++t) {
    for (std::size_t s = 0; s < w.sources; ++s) {
      for (std::size_t h = 0; h < w.heads; ++h) {
        picture.weights[t][s] += w.at(w.layers - 1, h, t, s) / static_cast<double>(w.heads);
      }
    }
  }
  return picture;
}

}  // namespace gradus
