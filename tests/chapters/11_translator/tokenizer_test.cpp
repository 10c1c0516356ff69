#include "11_translator/data/tokenizer.hpp"

#include <set>

#include "09_transformer/model.hpp"
#include "11_translator/data/beginning.hpp"
#include "11_translator/storage/model_files.hpp"
#include "chapters/11_translator/program.hpp"
#include "gradus/device/device.hpp"
#include "gradus/io/utf8.hpp"
#include "gradus/util/error.hpp"
#include "lib/io/files.hpp"
#include "support/names.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

const std::vector<std::string> english = {"A dog runs.", "A cat sleeps.", "A Dog and a cat play."};
const std::vector<std::string> german = {"Ein Hund rennt.", "Eine Katze schläft.",
                                         "Ein Hund und eine Katze spielen."};

TokenizerOptions options(TokenizerKind kind, bool lower_case = false) {
  return {kind, kind == TokenizerKind::word ? 0 : 40, 1, {lower_case, true}};
}

/// A model with these tokenizers and weights that count up.
ModelFiles model_of(const Tokenizers& t) {
  ModelConfig c;
  c.source_vocab = t.source.size(), c.target_vocab = t.target.size();
  c.d_model = 4, c.heads = 1, c.ffn = 4, c.encoder_layers = c.decoder_layers = 1;
  c.tying = t.joint ? Tying::all : Tying::output;
  std::vector<float> weights(transformer_layout<Cpu<float>>(c).size());
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>(i % 64) / 64;
  return {c, weights, t, "{}"};
}

}  // namespace

TEST_CASE("tokenizer: the names of files and command lines") {
  check_names<TokenizerKind>({"sentencepiece", "word", "imported"});
}

TEST_CASE("tokenizer: decoding gives the encoded text back, with subwords and with words") {
  for (const auto kind : {TokenizerKind::sentencepiece, TokenizerKind::word}) {
    const Tokenizer t = Tokenizer::learn(english, options(kind));
    CHECK(t.kind() == kind);
    CHECK(t.decode(t.encode("A cat runs.")) == "A cat runs.");
    CHECK(t.encode("").empty());
    for (const int id : t.encode("A dog runs.")) CHECK(id > Tokenizer::specials.eos);
    const Tokenizer again = Tokenizer::from_bytes(kind, {}, t.bytes(), "bytes");
    CHECK(again.size() == t.size());
    CHECK(again.encode("A Dog and a cat.") == t.encode("A Dog and a cat."));
  }
}

TEST_CASE("tokenizer: a word that is rare, beyond the size or never seen is unknown") {
  TokenizerOptions o = options(TokenizerKind::word);
  CHECK(Tokenizer::learn(english, o).encode("bird").front() == Tokenizer::specials.unk);
  o.min_frequency = 2;  // . A cat
  CHECK(Tokenizer::learn(english, o).size() == 4 + 3);
  CHECK(Tokenizer::learn(english, o).encode("dog").front() == Tokenizer::specials.unk);
  o.vocab_size = 6;
  CHECK(Tokenizer::learn(english, o).size() == 6);
  o.min_frequency = 9;
  CHECK(error_of([&] { Tokenizer::learn(english, o); }).find("9 times") != std::string::npos);
}

TEST_CASE("tokenizer: in lower case, capitals are read and none are written") {
  for (const auto kind : {TokenizerKind::sentencepiece, TokenizerKind::word}) {
    const Tokenizer t = Tokenizer::learn(english, options(kind, true));
    CHECK(t.encode("A DOG RUNS.") == t.encode("a dog runs."));
    CHECK(t.decode(t.encode("A DOG RUNS.")) == "a dog runs.");
    CHECK_FALSE(Tokenizer::learn(english, options(kind)).encode("A DOG") ==
                Tokenizer::learn(english, options(kind)).encode("a dog"));
  }
}

TEST_CASE("tokenizer: lower case is Unicode's, in any script") {
  const std::vector<std::string> texts = {"ȘTIINȚĂ și țară", "Ὀδυσσεύς ΟΔΟΣ", "ՀԱՅ հայ", "ЂАК ђак"};
  const std::vector<std::string> small = {"știință și țară", "ὀδυσσεύς οδος", "հայ հայ", "ђак ђак"};
  for (const auto kind : {TokenizerKind::sentencepiece, TokenizerKind::word}) {
    const Tokenizer t = Tokenizer::learn(texts, options(kind, true));
    CHECK(t.bytes() == Tokenizer::learn(small, options(kind, true)).bytes());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      CHECK(t.encode(texts[i]) == t.encode(small[i]));
      CHECK(t.decode(t.encode(texts[i])) == small[i]);
    }
  }
}

TEST_CASE("tokenizer: a joint vocabulary has the words of both languages, separate ones have one language each") {
  const auto words = options(TokenizerKind::word);
  const Tokenizers joint = learn_tokenizers(english, german, words, true);
  CHECK(joint.source.encode("Hund") == joint.target.encode("Hund"));
  CHECK(joint.source.encode("dog").front() != Tokenizer::specials.unk);
  CHECK(joint.target.encode("Katze").front() != Tokenizer::specials.unk);
  const Tokenizers two = learn_tokenizers(english, german, words, false);
  CHECK(two.source.encode("Hund").front() == Tokenizer::specials.unk);
  CHECK(two.target.encode("dog").front() == Tokenizer::specials.unk);
  CHECK(two.source.size() < joint.source.size());
}

TEST_CASE("model files: every kind of vocabulary is stored and loaded") {
  for (const auto kind : {TokenizerKind::sentencepiece, TokenizerKind::word}) {
    for (const bool joint : {true, false}) {
      const Playground place("tokenizers");
      const ModelFiles stored = model_of(learn_tokenizers(english, german, options(kind, true), joint));
      save_model(place.path, stored);
      const ModelFiles loaded = load_model(place.path);
      CHECK(loaded.tokenizers.joint == joint);
      CHECK(loaded.weights == stored.weights);
      CHECK(loaded.tokenizers.source.rules().lower_case);
      CHECK(loaded.tokenizers.source.bytes() == stored.tokenizers.source.bytes());
      CHECK(loaded.tokenizers.target.bytes() == stored.tokenizers.target.bytes());
      CHECK(to_json(description(loaded)) == to_json(description(stored)));
      CHECK(std::filesystem::exists(place.file("subwords.model")) ==
            (joint && kind == TokenizerKind::sentencepiece));
    }
  }
}

TEST_CASE("model files: an opened model has no weights yet; they are checked when they are written") {
  const Playground place("opened");
  const ModelFiles stored = model_of(learn_tokenizers(english, german, options(TokenizerKind::word), true));
  save_model(place.path, stored);
  const ModelFiles opened = open_model(place.path);
  CHECK(opened.weights.empty());
  CHECK(to_json(description(opened)) == to_json(description(stored)));
  std::vector<float> weights(stored.weights.size(), -1);
  const View<float, 1, Host> to{weights.data(), {weights.size()}, weights.size()};
  copy_weights(opened, to);
  CHECK(weights == stored.weights);
  std::fill(weights.begin(), weights.end(), -1.0F);
  copy_weights(stored, to);
  CHECK(weights == stored.weights);
  for (const ModelFiles& model : {stored, opened})
    CHECK_THROWS_WITH(copy_weights(model, {weights.data(), {1}, 1}), contains("layout"));
  CHECK_THROWS_WITH(save_model(place.file("again"), opened), contains("layout"));

  ModelFiles other = stored;
  other.weights[0] += 1;  // same names, same shapes
  const Playground elsewhere("other weights");
  save_model(elsewhere.path, other);
  std::filesystem::copy_file(elsewhere.file("weights.safetensors"), place.file("weights.safetensors"),
                             std::filesystem::copy_options::overwrite_existing);
  const ModelFiles mixed = open_model(place.path);
  CHECK_THROWS_WITH(copy_weights(mixed, to), contains("not the file that belongs"));
  CHECK_THROWS_WITH(load_model(place.path), contains("not the file that belongs"));

  other.config.ffn += 1;  // other shapes
  other.weights.resize(transformer_layout<Cpu<float>>(other.config).size());
  save_model(elsewhere.path, other);
  std::filesystem::copy_file(elsewhere.file("weights.safetensors"), place.file("weights.safetensors"),
                             std::filesystem::copy_options::overwrite_existing);
  CHECK_THROWS_WITH(open_model(place.path), contains("another shape"));
}

TEST_CASE("model files: choices that came later are written only where they differ, and are read back") {
  const Playground place("later");
  ModelFiles stored = model_of(learn_tokenizers(english, german, options(TokenizerKind::word), true));
  const std::string before = to_json(description(stored));
  for (const char* name : {"\"decoder\"", "norm_epsilon", "output_bias", "positions", "punctuation"})
    CHECK(before.find(name) == std::string::npos);
  const ModelDescription old = model_description(before, "old");
  CHECK((!old.config.output_bias && !old.config.attention_output_bias && old.rules.punctuation));
  CHECK(old.config.norm_epsilon == layer_norm_epsilon);
  CHECK((old.config.positions == Positions::sinusoids && old.config.decoder_unit == DecoderUnit::attention));

  ModelDescription d = description(stored);
  d.config.output_bias = d.config.attention_output_bias = true, d.config.positions = Positions::none;
  d.config.decoder_unit = DecoderUnit::ssru, d.config.norm_epsilon = 1e-6;
  d.rules = {true, false};
  const ModelDescription read = model_description(to_json(d), "new");
  CHECK((read.config.output_bias && read.config.attention_output_bias));
  CHECK((read.config.positions == Positions::none && read.config.decoder_unit == DecoderUnit::ssru));
  CHECK(read.config.norm_epsilon == 1e-6);
  CHECK((read.rules.lower_case && !read.rules.punctuation));
}

TEST_CASE("model files: a model with words of an earlier version keeps its rules, and a new one says its own") {
  const Playground place("word-rules");
  const std::vector<std::string> french = {"«Oui» dit\u00A0il.", "«Non»."};
  TokenizerOptions old = options(TokenizerKind::word);
  old.rules.words = WordRules::bytes;
  const Tokenizers before = learn_tokenizers(french, french, old, true),
                   now = learn_tokenizers(french, french, options(TokenizerKind::word), true);
  save_model(place.file("old"), model_of(before)), save_model(place.file("new"), model_of(now));
  const std::string old_json = read_file(place.file("old/model.json"));
  CHECK(old_json.find("\"words\"") == std::string::npos);  // as earlier versions wrote it
  CHECK(old_json.find("gradus translator 1") != std::string::npos);
  const std::string new_json = read_file(place.file("new/model.json"));
  CHECK(new_json.find("\"words\": \"unicode\"") != std::string::npos);
  CHECK(new_json.find("gradus translator 2") != std::string::npos);  // earlier versions would cut other words
  const auto pieces = [&](const char* folder) {
    std::string all;
    const ModelFiles model = load_model(place.file(folder));
    for (const TextPiece& p : model.tokenizers.source.pieces("Oui «Oui» dit\u00A0il"))
      all += p.text + (p.id == Tokenizer::specials.unk ? "?" : "") + std::to_string(p.word) + "|";
    return all;
  };
  CHECK(pieces("old") == "Oui?0|«Oui»1|dit\u00A0il2|");
  CHECK(pieces("new") == "Oui0|«1|Oui1|»1|dit2|il3|");
  const ModelFiles again = load_model(place.file("old"));
  save_model(place.file("again"), again);
  CHECK(read_file(place.file("again/model.json")) == old_json);
  CHECK(again.tokenizers.target.rules().words == WordRules::bytes);
}

TEST_CASE("tokenizer: of a text with spaces that are no ASCII, each piece has the number of its word") {
  TokenizerOptions o = options(TokenizerKind::sentencepiece);
  const Tokenizer t = Tokenizer::learn(english, o);
  const auto numbers = [&](const std::string& text) {
    std::set<std::size_t> words;
    for (const TextPiece& p : t.pieces(text)) words.insert(p.word);
    return words;
  };
  CHECK(numbers("A\u00A0dog\u3000runs.\u2009A cat") == std::set<std::size_t>{0, 1, 2, 3, 4});
}

TEST_CASE("model files: a vocabulary that is changed, foreign or of another size is refused") {
  const Playground place("tokenizers-bad");
  save_model(place.path, model_of(learn_tokenizers(english, german, options(TokenizerKind::word), false)));
  const std::string words = place.file("source.words.txt"), json = place.file("model.json");
  const std::string good_words = read_file(words), good_json = read_file(json);
  const auto load = [&] { return error_of([&] { load_model(place.path); }); };
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good_json;
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    write_atomically(json, text.replace(at, from.size(), to));
    return load();
  };
  CHECK(load() == "no error");
  write_atomically(words, good_words + "bird\n");
  CHECK(load().find("source.words.txt: not the file that belongs") != std::string::npos);
  write_atomically(words, good_words);
  CHECK(with("source.words.txt", "../source.words.txt").find("is not the name of a vocabulary") !=
        std::string::npos);
  CHECK(with("source.words.txt", "/etc/passwd").find("is not the name of a vocabulary") != std::string::npos);
  CHECK(with("\"source_vocab\": 1", "\"source_vocab\": 2").find("source words, its vocabulary 1") !=
        std::string::npos);
  CHECK(with("\"tying\": \"output\"", "\"tying\": \"all\"") != "no error");
  CHECK(with("\"kind\": \"word\"", "\"kind\": \"sentencepiece\"").find("SentencePiece") != std::string::npos);
  CHECK(with("\"kind\": \"word\"", "\"kind\": \"letters\"").find("letters") != std::string::npos);
}

TEST_CASE("beginning: a long text keeps its first tokens, and only a small part of it is encoded") {
  const std::vector<std::string> sentences{"the größte dog ran home", "a dog saw the größte house there",
                                           "houses and dogs are there at home"};
  for (const TokenizerOptions& o : {TokenizerOptions{TokenizerKind::sentencepiece, 40, 1, {}},
                                    TokenizerOptions{TokenizerKind::word, 0, 1, {true, true}}}) {
    const Tokenizer tokenizer = Tokenizer::learn(sentences, o);
    std::string text;
    while (text.size() < 20000) text += "The größte dog\t  ran there;  home " + std::string(text.size() % 97, ' ');
    const std::vector<int> all = tokenizer.encode(text);
    for (const std::size_t most : {0, 1, 2, 3, 7, 60, 61, 255}) {
      INFO(most);
      const Beginning b = beginning(tokenizer, text, most);
      REQUIRE(b.ids.size() > most);
      CHECK(std::equal(b.ids.begin(), b.ids.begin() + static_cast<std::ptrdiff_t>(most), all.begin()));
      CHECK(b.ids == tokenizer.encode(b.text));
      CHECK(text.rfind(b.text, 0) == 0);
      CHECK(b.text.size() < 200 * std::max<std::size_t>(1, most));
    }
    CHECK(beginning(tokenizer, text, all.size()).ids == all);
    CHECK(beginning(tokenizer, text, all.size() - 1).ids == all);  // one more than the limit: it is cut there
    CHECK(beginning(tokenizer, "", 5).ids.empty());
    CHECK(beginning(tokenizer, "a dog", 5).text == "a dog");
    // Much white space, and no word for a long time.
    const std::string late = std::string(100000, ' ') + "a dog ran home";
    CHECK(beginning(tokenizer, late, 2).ids == tokenizer.encode("a dog ran home"));
  }
}

TEST_CASE("beginning: an endless word is cut between its characters") {
  const Tokenizer tokenizer = Tokenizer::learn({"größe und größen"}, {TokenizerKind::sentencepiece, 20, 1, {}});
  for (const char* part : {"ö", "gö", "größ"}) {
    std::string word;
    while (word.size() < 100000) word += part;
    const Beginning b = beginning(tokenizer, word, 10);
    CHECK(b.ids.size() > 10);
    CHECK(b.text.size() < 1000);
    CHECK(is_utf8(b.text));
  }
}
