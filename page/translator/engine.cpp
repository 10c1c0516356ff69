#include "translator/engine.hpp"

#include <array>
#include <cstddef>
#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "10_training/run/checkpoint.hpp"
#include "11_translator/translator/engine_on.hpp"
#include "11_translator/translator/translation_warnings.hpp"
#include "app/answers/inside_json.hpp"
#include "app/answers/translation_json.hpp"
#include "gradus/io/safetensors.hpp"

namespace gradus::page {
namespace {

using Dev = Cpu<float>;
using Json = nlohmann::ordered_json;

enum Given { description, vocabulary, weights, sentence };

/// The model of the files that the script has written.
ModelFiles files_of(const std::array<std::string, 4>& given) {
  const ModelDescription d = model_description(given[description], "model.json");
  ModelFiles files{d.config,
                   {},
                   joint_tokenizers(d.kind, d.rules, given[vocabulary], d.source.file),
                   d.metadata,
                   d.unusual_below,
                   {},
                   d.limits};
  const Layout layout = transformer_layout<Dev>(d.config);
  const SafetensorsFile file = SafetensorsFile::parse(given[weights], "weights.safetensors");
  check_weights(file, layout);
  files.weights.resize(layout.size());
  read_weights(files.weights.data(), file, layout);
  return files;
}

/// A translation and how it was found. Without a source nothing was searched: the text was copied.
struct Found {
  std::string text;
  bool cut = false;
  Sentence source;
  NBest best;
  std::vector<std::vector<Beam>> steps;
  TranslateOptions options;
};

struct Table {
  std::array<std::string, 4> given;
  std::unique_ptr<LoadedModel<Dev>> model;
  Found found;
  std::string text, problem;
};
Table& table() {
  static Table one;
  return one;
}

/// The text that `f` makes, or null with a problem.
template <class F>
const char* attempt(const F& f) {
  Table& t = table();
  t.problem.clear();
  try {
    t.text = f(t);
    return t.text.c_str();
  } catch (const std::exception& error) {
    t.problem = error.what();
    return nullptr;
  }
}

Found find(const LoadedModel<Dev>& loaded, const std::string& text, std::size_t beam) {
  Found found;
  found.text = text;
  found.options.beam_size = found.options.n_best = beam;
  TranslatorModel<Dev> t = loaded.view();
  t.watch = [&](const Beam& kept) {
    const std::size_t step = kept.log_probs.size();
    if (found.steps.size() < step) found.steps.resize(step);
    found.steps[step - 1].push_back(kept);
  };
  Sentence source = t.source(text, found.cut);
  if (source.size() == 1 || t.copies(text)) return found;
  Workers workers(1);
  found.best = search_texts(workers, t, {source}, found.options, alone(), t.lent).front();
  found.source = std::move(source);
  return found;
}

std::vector<TranslatedText> texts_of(const TranslatorModel<Dev>& t, const Found& found) {
  if (found.source.empty()) return {copy_of(found.text)};
  std::vector<TranslatedText> texts(found.best.size());
  for (std::size_t n = 0; n < texts.size(); ++n)
    t.describe(texts[n], found.best[n], is_short_source(found.source, found.options));
  return texts;
}

std::vector<NextWord> steps_of(Dev& dev, const TranslatorModel<Dev>& t, const Found& found) {
  const Translation& best = found.best.front();
  const Sentence source(found.source.begin(), found.source.end() - 1);  // batches add <eos> themselves
  const auto next = candidates(dev, source, best.words, t.model.params, t.model.config, most_candidates);
  return next_words(t, best, next, most_candidates);
}

AttentionMaps cross_attention(Dev& dev, const TranslatorModel<Dev>& t, const Found& found) {
  const auto name = [](std::int32_t id) { return std::to_string(id); };  // the tokens have the pieces' texts
  Sentence output = found.best.front().words;
  if (found.best.front().ended) output.push_back(Tokenizer::specials.eos);
  return attention_record(dev, found.source, output, t.model.params, t.model.config, {name, name}).cross;
}

Json tree(const TranslatorModel<Dev>& t, const Found& found) {
  Json steps = Json::array();
  for (const std::vector<Beam>& kept : found.steps) {
    Json step = Json::array();
    for (const Beam& beam : kept) {
      const bool ended = beam.words.size() < beam.log_probs.size();
      step.push_back({{"parent", beam.parent},
                      {"text", t.words.target.token(ended ? Tokenizer::specials.eos : beam.words.back())},
                      {"log_prob", beam.log_probs.back()},
                      {"ended", ended}});
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

Json inside(const TranslatorModel<Dev>& t, const Found& found) {
  std::vector<TranslatedText> texts = texts_of(t, found);
  TranslatedText& best = texts.front();
  best.cut = found.cut;
  if (!found.source.empty()) t.describe_source(best, found.text, found.source);
  const auto warnings = translation_warnings("the sentence", found.text, best);
  if (found.source.empty()) return translation_json(found.text, texts, warnings);
  Dev dev;
  add_tokens(dev, texts, t, found.text, found.source, {found.best.front()});
  Json json = translation_json(found.text, texts, warnings);
  json["attention"] = attention_json(cross_attention(dev, t, found), texts.front());
  json["steps"] = steps_json(steps_of(dev, t, found));
  json["tree"] = tree(t, found);
  return json;
}

}  // namespace
}  // namespace gradus::page

using namespace gradus::page;
using gradus::LoadedModel;

char* translate_room(int which, int bytes) {
  std::string& room = table().given.at(static_cast<std::size_t>(which));
  room.assign(static_cast<std::size_t>(bytes), '\0');
  return room.data();
}

const char* translate_load() {
  return attempt([](Table& t) {
    t.model = std::make_unique<LoadedModel<Dev>>(files_of(t.given));
    t.given = {};
    return std::to_string(t.model->model.layout.size());
  });
}

const char* translate_text(int beam) {
  return attempt([&](Table& t) {
    if (!t.model) gradus::fail("no model was loaded");
    t.found = find(*t.model, t.given[sentence], static_cast<std::size_t>(beam));
    return texts_of(t.model->view(), t.found).front().text;
  });
}

const char* translate_inside() {
  return attempt([](Table& t) { return gradus::json_line(inside(t.model->view(), t.found)); });
}

const char* translate_problem() { return table().problem.c_str(); }
