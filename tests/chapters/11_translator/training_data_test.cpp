// From text files to ids: the vocabulary of each side, the pairs that are left out, the texts that are cut.

#include "11_translator/training/training_data.hpp"

#include "11_translator/translator/engine_on.hpp"
#include "chapters/11_translator/program.hpp"
#include "gradus/device/device.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/io/unicode.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Ids = std::vector<std::vector<std::int32_t>>;

/// Words, some of which both languages share, with different ids.
TrainingRequest small(const Playground& place, bool joint) {
  TrainingRequest r;
  r.train_source = place.write("train.s", "b a a\na c a\n");
  r.train_target = place.write("train.t", "c a\nd d c\n");
  r.valid_source = place.write("valid.s", "c b x\n");
  r.valid_target = place.write("valid.t", "a d\n");
  r.tokenizer = {TokenizerKind::word, 0, 1, {}};
  r.joint_vocabulary = joint;
  return r;
}

}  // namespace

TEST_CASE("training data: each language is read with its own vocabulary, learnt from the training lines alone") {
  const Playground place("data-separate");
  const TrainingData own = training_data(small(place, false));  // a b c; c d a
  CHECK(own.pairs.source == Ids{{5, 4, 4}, {4, 6, 4}});
  CHECK(own.pairs.target == Ids{{4, 6}, {5, 5, 4}});
  CHECK(own.valid.source == Ids{{6, 5, 1}});  // x is unknown
  CHECK(own.valid.target == Ids{{6, 5}});
  CHECK_FALSE(own.tokenizers.joint);
  const TrainingData one = training_data(small(place, true));  // a c d b
  CHECK(one.pairs.source == Ids{{7, 4, 4}, {4, 5, 4}});
  CHECK(one.pairs.target == Ids{{5, 4}, {6, 6, 5}});
  CHECK(one.valid.source == Ids{{5, 7, 1}});
  CHECK(one.valid.target == Ids{{4, 6}});
  CHECK(one.tokenizers.joint);
  CHECK(one.valid_lines.source == std::vector<std::string>{"c b x"});
  CHECK(one.valid_lines.target == std::vector<std::string>{"a d"});
}

TEST_CASE(
    "training data: a pair of exactly the longest length stays, with one token more it is left out and counted") {
  const Playground place("data-longest");
  TrainingRequest r = small(place, true);
  r.train_source = place.write("train.s", "a a a\na\na a a a\na\n\na\n");
  r.train_target = place.write("train.t", "a\na a a\na\na a a a\na\n\n");
  r.plan.batches.tokens = 4;  // three words and <eos>
  const TrainingData data = training_data(r);
  CHECK(data.longest == 4);
  CHECK(data.pairs.source == Ids{{4, 4, 4}, {4}});
  CHECK(data.pairs.target == Ids{{4}, {4, 4, 4}});
  CHECK(data.dropped == 4);
  CHECK(data.dropped_valid == 0);
  r.plan.batches.tokens = 100, r.model.max_length = 4;  // the positions limit too
  CHECK(training_data(r).longest == 4);
  CHECK(training_data(r).dropped == 4);
  r.plan.batches.tokens = 4, r.model.max_length = 256;
  r.plan.batches.sentences = 2;  // then only the positions limit
  CHECK(training_data(r).longest == r.model.max_length);
  CHECK(training_data(r).dropped == 2);
  r.model.max_length = 5;
  CHECK(training_data(r).dropped == 2);
  r.model.max_length = 4;
  CHECK(training_data(r).dropped == 4);
  r.model.max_length = 3;
  CHECK_THROWS_WITH(training_data(r), contains("no training pair is left") && contains("longer than 3 tokens"));
  r.model.max_length = 1;
  CHECK_THROWS_WITH(training_data(r), contains("longer than 1 token") && !contains("1 tokens"));
  r.model.max_length = 4;
  r.valid_source = place.write("valid.s", "a a a a\n");
  CHECK_THROWS_WITH(training_data(r), contains("no validation pair is left") && contains("longer than 4 tokens"));
}

TEST_CASE("training data: any number of threads learns and encodes the same") {
  std::vector<std::string> source, target;
  for (int i = 0; i < 2500; ++i) {  // more lines than a thread takes at once, and a part of such a piece
    source.push_back("word" + std::to_string(i * 7 % 300) + " and " + std::to_string(i));
    target.push_back("Wort" + std::to_string(i * 7 % 300) + " und " + std::to_string(i));
  }
  const TokenizerOptions options{TokenizerKind::sentencepiece, 80, 1, {}};
  const Tokenizers one = learn_tokenizers(source, target, options, false, 1),
                   two = learn_tokenizers(source, target, options, false, 2);
  CHECK(one.source.bytes() == two.source.bytes());
  CHECK(one.target.bytes() == two.target.bytes());
  CHECK(one.source.bytes() != one.target.bytes());
  Ids by_line;
  for (const std::string& line : source) by_line.push_back(one.source.encode(line));
  for (const std::size_t threads : {1, 3}) {
    Workers workers(threads);
    CHECK(encoded(one.source, source, workers) == by_line);
    CHECK(encoded(one.source, {}, workers).empty());
  }
  for (const std::size_t threads : {1, 2}) {
    const Tokenizers few =  // neither language can fill so large a vocabulary
        learn_tokenizers({"a"}, {"b c"}, {TokenizerKind::sentencepiece, 8000, 1, {}}, false, threads);
    CHECK((few.source.size() < few.target.size() && few.target.size() < 20));
    // and so small a one has no place for all letters
    CHECK_THROWS_WITH(
        learn_tokenizers({"abcdefgh"}, {"b"}, {TokenizerKind::sentencepiece, 6, 1, {}}, false, threads),
        contains("source vocabulary: "));
  }
}

TEST_CASE("training data: a tokenizer of small letters learns from small letters and reads them") {
  std::vector<std::string> large, low;
  for (const std::string& line : read_lines(std::string(GRADUS_CHAPTERS) + "/11_translator/toy/train.de")) {
    low.push_back(lower_case(line));
    large.push_back(line);
    for (char& c : large.back()) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  for (const TokenizerKind kind : {TokenizerKind::sentencepiece, TokenizerKind::word}) {
    const Tokenizer from_large = Tokenizer::learn(large, {kind, 120, 1, {true, true}}),
                    from_low = Tokenizer::learn(low, {kind, 120, 1, {}});
    CHECK(from_large.bytes() == from_low.bytes());
    CHECK(from_large.encode(large[3]) == from_low.encode(low[3]));
    CHECK(from_large.decode(from_large.encode(large[3])) == from_low.decode(from_low.encode(low[3])));
    CHECK(from_large.rules().lower_case);
  }
}

TEST_CASE("translator: a source of exactly the positions is whole, a longer one loses its end and says so") {
  ModelFiles files{{}, {}, learn_tokenizers({"a b c d e"}, {"v w x y z"}, {TokenizerKind::word, 0, 1, {}}, false)};
  files.config.source_vocab = files.config.target_vocab = 9;
  files.config.d_model = 4, files.config.heads = 1, files.config.ffn = 4;
  files.config.encoder_layers = files.config.decoder_layers = 1;
  files.config.max_length = 5;
  files.weights.assign(transformer_layout<Cpu<float>>(files.config).size(), 0);
  const LoadedModel<Cpu<float>> loaded(files);
  const TranslatorModel<Cpu<float>> t = loaded.view();
  bool cut = true;
  CHECK(t.source("a b c d", cut) == Sentence{4, 5, 6, 7, 3});
  CHECK_FALSE(cut);
  CHECK(t.source("b c d e a", cut) == Sentence{5, 6, 7, 8, 3});
  CHECK(cut);
  CHECK(t.source("", cut) == Sentence{3});
  CHECK_FALSE(cut);
  CHECK(t.target_ids("v w x y", cut) == Sentence{4, 5, 6, 7});
  CHECK_FALSE(cut);
  CHECK(t.target_ids("z y x w v", cut) == Sentence{8, 7, 6, 5});
  CHECK(cut);
  REQUIRE(t.lent == &loaded.lent);
  translate_texts(t, {"a b c"}, {});
  CHECK(loaded.lent.allocations() >= 3);  // the next call gets this memory
}
