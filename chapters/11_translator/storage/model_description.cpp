#include "11_translator/storage/model_description.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "09_transformer/config_fields.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

// Of the metadata in model.json. The word is older than the name in the code, and stored models have it.
constexpr const char* metadata_entry = "notes";

// A model that has none of the later fields is written in the first format, and old programs read it. They refuse the
// second, instead of taking the model for another one.
constexpr const char* first_format = "gradus translator 1";
constexpr const char* second_format = "gradus translator 2";

// The fields of the first stored models. All others came later: where they have their default they are not written, and
// where they are missing they have it.
constexpr const char* first_fields[] = {"source_vocab", "target_vocab",   "d_model",        "heads",
                                        "ffn",          "encoder_layers", "decoder_layers", "norm",
                                        "activation",   "tying",          "attention_bias", "scale_embedding",
                                        "max_length",   "embedding_rate", "attention_rate", "activation_rate",
                                        "residual_rate"};

bool is_later(const std::string& name) {
  return std::find(std::begin(first_fields), std::end(first_fields), name) == std::end(first_fields);
}

/// Writes each field of a configuration; `all`: also later ones with their default.
struct FieldWriter {
  Json& json;
  bool all;

  void size(const char* name, const char*, std::size_t value, std::size_t, std::size_t) const {
    json[name] = value;
  }
  void rate(const char* name, const char*, double value) const { json[name] = value; }
  void epsilon(const char* name, double value) const {
    if (all || value != layer_norm_epsilon) json[name] = value;
  }
  template <class Enum>
  void word(const char* name, Enum value) const {
    if (all || !is_later(name) || value != Enum{}) json[name] = name_of(value);
  }
  void flag(const char* name, bool value) const {
    if (all || !is_later(name) || value) json[name] = value;
  }
};

/// Reads each. ModelConfig::check() decides whether a model can have such sizes and rates.
struct FieldReader {
  const Json& json;

  void size(const char* name, const char*, std::size_t& value, std::size_t, std::size_t) const {
    const Json& number = json.at(name);
    if (!number.is_number_unsigned()) fail(std::string(name) + " is not a size");
    value = number.get<std::size_t>();
  }
  void rate(const char* name, const char*, double& value) const { value = json.at(name); }
  void epsilon(const char* name, double& value) const {
    if (json.contains(name)) value = json.at(name);
  }
  template <class Enum>
  void word(const char* name, Enum& value) const {
    if (!is_later(name) || json.contains(name)) value = parse<Enum>(json.at(name));
  }
  void flag(const char* name, bool& value) const {
    if (!is_later(name) || json.contains(name)) value = json.at(name);
  }
};

/// Collects the name of each.
struct FieldNames {
  std::vector<std::string>& names;

  template <class... Rest>
  void size(const char* name, const Rest&...) const {
    names.emplace_back(name);
  }
  template <class... Rest>
  void rate(const char* name, const Rest&...) const {
    names.emplace_back(name);
  }
  void epsilon(const char* name, double) const { names.emplace_back(name); }
  template <class Enum>
  void word(const char* name, Enum) const {
    names.emplace_back(name);
  }
  void flag(const char* name, bool) const { names.emplace_back(name); }
};

/// Refuses what a typing mistake has written, or a newer program: without it, the model would be another one.
void refuse_others(const Json& json, const std::vector<std::string>& known) {
  for (const auto& [key, value] : json.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end())
      fail("the field " + gradus::quoted(key) + " is unknown to this version of the program");
  }
}

Json config_json(const ModelConfig& c, bool all = false) {
  Json json;
  each_field(c, FieldWriter{json, all});
  return json;
}

ModelConfig config_of(const Json& json) {
  ModelConfig c;
  each_field(c, FieldReader{json});
  std::vector<std::string> names;
  each_field(c, FieldNames{names});
  refuse_others(json, names);
  c.check();
  return c;
}

/// Accepts only the names of our own files, so that a foreign description cannot name other paths.
VocabularyFile vocabulary_of(const Json& json) {
  VocabularyFile v{json.at("file"), json.at("sha256")};
  const auto known = vocabulary_file_names();
  if (std::find(known.begin(), known.end(), v.file) == known.end())
    fail(gradus::quoted(v.file) + " is not the name of a vocabulary");
  return v;
}

Json vocabulary_json(const VocabularyFile& v) { return {{"file", v.file}, {"sha256", v.sha256}}; }

/// The pieces of the source side; unknown if there are so many that the description would be too long.
void add_pieces(Json& json, const SeenPieces& pieces) {
  constexpr std::size_t most = 160'000;
  if (!pieces.empty() && pieces.size() <= most) json["source_pieces"] = to_digits(pieces);
}

/// What came later stands beside the other fields: programs of earlier versions read over it.
void add_limits(Json& json, const ModelDescription& d) {
  const WarningLimits& limits = d.limits;
  if (d.rules.normalisation != Normalisation::at_use) json["normalisation"] = name_of(d.rules.normalisation);
  if (d.unusual_below) json["unusual_below"] = *d.unusual_below;
  if (limits.hesitant_below) json["hesitant_below"] = *limits.hesitant_below;
  if (!limits.muted.empty()) json["muted_warnings"] = limits.muted;
  add_pieces(json, limits.source_pieces);
}

void read_limits(const Json& json, ModelDescription& d) {
  if (json.contains("normalisation")) d.rules.normalisation = parse<Normalisation>(json.at("normalisation"));
  if (json.contains("unusual_below")) d.unusual_below = json.at("unusual_below").get<double>();
  if (json.contains("hesitant_below")) d.limits.hesitant_below = json.at("hesitant_below").get<double>();
  if (json.contains("muted_warnings")) json.at("muted_warnings").get_to(d.limits.muted);
  if (!json.contains("source_pieces")) return;
  d.limits.source_pieces = pieces_of_digits(json.at("source_pieces"));
  const std::size_t words = d.config.source_vocab, digits = (words + 3) / 4;
  if (d.limits.source_pieces.size() != 4 * digits) fail("its list of pieces is not that of its source vocabulary");
  d.limits.source_pieces.resize(words);
}

ModelDescription description_of(const Json& json) {
  if (json.at("format") != first_format && json.at("format") != second_format) fail("an unknown format");
  const Json& tokenizer = json.at("tokenizer");
  refuse_others(tokenizer, {"kind", "lower_case", "punctuation", "words", "source", "target"});
  ModelDescription d;
  d.config = config_of(json.at("model"));
  d.kind = parse<TokenizerKind>(tokenizer.at("kind"));
  d.rules.lower_case = tokenizer.at("lower_case");
  if (tokenizer.contains("punctuation")) d.rules.punctuation = tokenizer.at("punctuation");
  if (d.kind == TokenizerKind::word)
    d.rules.words = tokenizer.contains("words") ? parse<WordRules>(tokenizer.at("words")) : WordRules::bytes;
  d.source = vocabulary_of(tokenizer.at("source"));
  d.target = vocabulary_of(tokenizer.at("target"));
  if (d.source.file == d.target.file && d.source.sha256 != d.target.sha256)
    fail("one vocabulary has two checksums");
  if (d.kind == TokenizerKind::imported && d.source.file != d.target.file)
    fail("an imported vocabulary is one file, not two");
  if (d.config.tying == Tying::all && d.source.file != d.target.file)
    fail("all tables are tied, so there must be one vocabulary, not two");
  if (json.contains("weights")) d.weights_sha256 = json.at("weights").at("sha256");
  d.metadata = json.at(metadata_entry).dump();
  read_limits(json, d);
  return d;
}

/// Checks the bounds of foreign JSON: the library looks up keys one by one, and writes nested values recursively.
Json parsed(const std::string& text) {
  constexpr std::size_t longest = 65536;
  constexpr int deepest = 16;
  if (text.size() > longest) fail("too long for the description of a model");
  return Json::parse(text, [](int depth, Json::parse_event_t, const Json&) {
    if (depth > deepest) fail("nested too deeply for the description of a model");
    return true;
  });
}

/// Runs `parse`; an error message names the file `origin`.
template <class Parse>
auto about(const std::string& origin, const Parse& parse) {
  try {
    return parse();
  } catch (const nlohmann::json::exception&) {
    fail(origin + ": this is not the description of a model");
  } catch (const Error& error) {
    fail(origin + ": " + error.what());
  }
}

}  // namespace

std::string to_json(const ModelConfig& config) { return config_json(config).dump(); }
std::string all_fields(const ModelConfig& config) { return config_json(config, true).dump(); }

ModelConfig config_from_json(const std::string& text, const std::string& origin) {
  return about(origin, [&] { return config_of(parsed(text)); });
}

std::string to_json(const ModelDescription& d) {
  const Json model = config_json(d.config);
  const bool has_word_rules = d.kind == TokenizerKind::word && d.rules.words != WordRules::bytes;
  const bool has_later = !d.rules.punctuation || has_word_rules ||
                         std::any_of(model.items().begin(), model.items().end(),
                                     [](const auto& field) { return is_later(field.key()); });
  Json json{{"format", has_later ? second_format : first_format},
            {"model", model},
            {"tokenizer",
             {{"kind", name_of(d.kind)},
              {"lower_case", d.rules.lower_case},
              {"source", vocabulary_json(d.source)},
              {"target", vocabulary_json(d.target)}}}};
  if (!d.rules.punctuation) json["tokenizer"]["punctuation"] = false;
  if (has_word_rules) json["tokenizer"]["words"] = name_of(d.rules.words);
  if (!d.weights_sha256.empty()) json["weights"] = {{"sha256", d.weights_sha256}};
  json[metadata_entry] = Json::parse(d.metadata);
  add_limits(json, d);
  return json.dump(1) + "\n";
}

ModelDescription model_description(const std::string& text, const std::string& origin) {
  return about(origin, [&] { return description_of(parsed(text)); });
}

std::string vocabulary_file_name(TokenizerKind kind) {
  switch (kind) {
    case TokenizerKind::word:
      return "words.txt";
    case TokenizerKind::imported:
      return "pieces.imported";
    case TokenizerKind::sentencepiece:
      break;
  }
  return "subwords.model";
}

std::vector<std::string> vocabulary_file_names() {
  return {"subwords.model",   "source.subwords.model", "target.subwords.model", "words.txt",
          "source.words.txt", "target.words.txt",      "pieces.imported"};
}

}  // namespace gradus
