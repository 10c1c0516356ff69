// Models that write small letters only, or no punctuation: text, vocabulary and scores.

#include "11_translator/metrics/bleu.hpp"
#include "11_translator/metrics/chrf.hpp"
#include "11_translator/training/measure_results.hpp"
#include "11_translator/training/training_watch.hpp"
#include "11_translator/translator/translator.hpp"
#include "chapters/11_translator/small_training.hpp"
#include "gradus/io/unicode.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("punctuation: a mark inside a word disappears, any other becomes a space; symbols stay") {
  CHECK(without_punctuation("A dog, a \"cat\" (two)...") == "A dog  a  cat   two    ");
  CHECK(without_punctuation("man's T-shirt, l\u2019eau, a\u2010b") == "mans Tshirt  leau  ab");
  CHECK(without_punctuation("'a' - b-") == " a    b ");
  CHECK(without_punctuation("one,two") == "one two");
  CHECK(without_punctuation("\u201EJa\u201C \u3002 1 + 1 = $2") == " Ja    1 + 1 = $2");
  CHECK(without_punctuation("").empty());
  CHECK_THROWS_AS(without_punctuation("\xff"), Error);
}

TEST_CASE("text rules: case and punctuation, each alone, both, and none") {
  const std::string text = "Don't STOP!";
  CHECK(apply_rules({}, text) == text);
  CHECK(apply_rules({true, true}, text) == "don't stop!");
  CHECK(apply_rules({false, false}, text) == "Dont STOP ");
  CHECK(apply_rules({true, false}, text) == "dont stop ");
  CHECK(comparable({true, true}, {text}) == std::vector<std::string>{text});
  CHECK(comparable({true, false}, {text}) == std::vector<std::string>{"Dont STOP "});
}

TEST_CASE("text rules: a tokenizer applies them to what it learns, reads and cuts into pieces") {
  const std::vector<std::string> sentences = {"A dog's life, a cat.", "The end - of it!",
                                              "A cat runs, the dog sleeps."};
  for (const auto kind : {TokenizerKind::sentencepiece, TokenizerKind::word}) {
    const int size = kind == TokenizerKind::word ? 0 : 30;
    const Tokenizer t = Tokenizer::learn(sentences, {kind, size, 1, {true, false}});
    CHECK(t.decode(t.encode("The Dog's - LIFE!")) == "the dogs life");
    for (std::size_t id = Specials::count; id < t.size(); ++id)
      CHECK(t.piece(static_cast<int>(id)).find_first_of(",.-!'ATD") == std::string::npos);
    std::vector<std::size_t> words;
    for (const TextPiece& piece : t.pieces("dog - cat, the.end")) {
      if (words.empty() || words.back() != piece.word) words.push_back(piece.word);
    }
    CHECK(words == std::vector<std::size_t>{0, 2, 3});  // the hyphen is word 1, and nothing of it is left
  }
}

TEST_CASE("text rules: right translations have a validation BLEU of 100, whatever the references have besides") {
  const Playground place("rules-validation");
  TrainingRequest r = small(place.file("run"));
  const auto bleu_of_right_ones = [&](const TextRules& model, const TextRules& output) {
    r.tokenizer.rules = model;
    const TrainingData data = training_data(r);
    std::vector<std::vector<TranslatedText>> translations;
    for (const std::string& reference : data.valid_lines.target) {
      TranslatedText t;
      t.text = apply_rules(output, reference);
      translations.push_back({t});
    }
    ValidationRecord record;
    note_translations(record, translations, data);
    return record.bleu;
  };
  const TextRules lower{true, true}, bare{false, false}, both{true, false};
  for (const TextRules& rules : {lower, bare, both}) {
    CHECK(bleu_of_right_ones(rules, rules) == Approx(100));
    CHECK(bleu_of_right_ones({}, rules) < 95);
  }
}

TEST_CASE(
    "scripts without spaces: a training's BLEU of right translations is 100, and the report names the tokenizer") {
  const Playground place("unspaced");
  const std::vector<std::pair<std::vector<std::string>, std::string>> texts{
      {{"两只狗在雪地里玩。", "一个男人在睡觉。", "三个女人坐在桌子旁边说话。"}, "zh"},
      {{"犬が雪の中を走る。", "男の人が寝ている。", "女の人がテーブルで話す。"}, "char"},
      {{"สุนัขวิ่งในหิมะ", "ผู้ชายนอนหลับ", "ผู้หญิงสามคนคุยกัน"}, "char"}};
  for (const auto& [lines, tokenizer] : texts) {
    TrainingRequest r = small(place.file("run-" + tokenizer + std::to_string(lines[0].size())));
    std::string source, target;
    for (std::size_t i = 0; i < 30; ++i)
      source += "w" + std::to_string(i % 3) + " x\n", target += lines[i % 3] + "\n";
    r.train_source = r.valid_source = place.write("source", source);
    r.train_target = r.valid_target = place.write("target", target);
    r.tokenizer.kind = TokenizerKind::word, r.tokenizer.vocab_size = 0, r.tokenizer.min_frequency = 1;
    r.joint_vocabulary = true;
    const TrainingData data = training_data(r);
    std::vector<std::vector<TranslatedText>> translations(30);
    for (std::size_t i = 0; i < 30; ++i) translations[i].resize(1), translations[i][0].text = lines[i % 3];
    ValidationRecord record;
    note_translations(record, translations, data);
    CHECK(record.bleu == Approx(100));
    r.plan.epochs = 1;
    REQUIRE(train(r, {}) == TrainingEnd::finished);
    CHECK(measure_results(r, data).scores[0].name == "BLEU of the validation text, beam 5, tokenizer " + tokenizer);
  }
}

TEST_CASE("text rules: the scores of a run's report and of evaluate ignore case and punctuation") {
  const Playground place("rules-scores");
  TrainingRequest r = small(place.file("run"));
  r.tokenizer.rules = {true, false};
  r.plan.epochs = 6, r.plan.schedule.peak = 0.02;
  REQUIRE(train(r, {}) == TrainingEnd::finished);

  const std::vector<std::string> complete = training_data(r).valid_lines.target;
  const std::vector<std::string> references = comparable({true, false}, complete);
  const Translator translator = Translator::load(r.output);
  CHECK((translator.rules().lower_case && !translator.rules().punctuation));
  std::vector<std::string> output;
  for (const auto& best : translator.translate(training_data(r).valid_lines.source, {}))
    output.push_back(best.front().text);
  BleuOptions of_bleu;
  ChrfOptions of_chrf;
  of_bleu.lowercase = of_chrf.lowercase = true;
  const double score = corpus_bleu(output, references, of_bleu).score;
  REQUIRE(score > corpus_bleu(output, references).score);
  REQUIRE(score != corpus_bleu(output, complete, of_bleu).score);

  const RunResults results = measure_results(r, training_data(r));
  CHECK(results.scores[0].name == "BLEU of the validation text, beam 5, without case, without punctuation");
  CHECK(results.scores[0].value == score);
  CHECK(results.scores[1].value == corpus_chrf(output, references, of_chrf));
  REQUIRE_FALSE(results.best.empty());
  for (const ScoredTranslation& t : results.best)
    CHECK(t.score ==
          chrf_score(chrf_statistics(t.translation, comparable({true, false}, {t.reference})[0], of_chrf)));
  CHECK(std::any_of(results.worst.begin(), results.worst.end(), [&](const ScoredTranslation& t) {
    return std::find(complete.begin(), complete.end(), t.reference) != complete.end();  // shown as it was written
  }));

  const std::string command = "evaluate --source " + r.valid_source + " --reference " + r.valid_target;
  const Result evaluated = gradus_program(place, command + " --model " + r.output);
  REQUIRE(evaluated.status == 0);
  CHECK(evaluated.out.find("|case:lc|") != std::string::npos);
  const std::string numbers = to_string(corpus_bleu(output, references, of_bleu), "").substr(4);  // without "BLEU"
  CHECK(evaluated.out.find(numbers) != std::string::npos);
  CHECK(evaluated.out == gradus_program(place, command + " --lowercase --model " + r.output).out);
  const TextRules of_toy = Translator::load(toy_model()).rules();
  CHECK((!of_toy.lower_case && of_toy.punctuation));
}
