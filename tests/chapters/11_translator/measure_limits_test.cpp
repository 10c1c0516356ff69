// What the end of a training measures for its model's warnings, and how a model stores it.

#include "11_translator/training/measure_limits.hpp"
#include "11_translator/training/training_data.hpp"

#include <nlohmann/json.hpp>

#include "11_translator/storage/model_files.hpp"
#include "11_translator/translator/translator.hpp"
#include "11_translator/warnings/limits.hpp"
#include "chapters/11_translator/program.hpp"
#include "chapters/11_translator/small_training.hpp"

using namespace gradus;
using namespace gradus::test;
using Words = std::vector<std::string>;

TEST_CASE("hesitant limit: below it the translations were clearly worse than the others") {
  std::vector<JudgedTranslation> all;
  for (int i = 1; i <= 10; ++i) all.push_back({-0.3 * i, i > 6 ? 20.0 : 80.0});  // the four least probable are bad
  std::swap(all[0], all[7]);
  // mean 56, three quarters of it 42: of the least probable n the means are 20, 20, 20, 20, 32, 40 and 45.7
  CHECK(hesitant_limit(all, -2.9) == Approx(-0.3 * 4));
  for (auto& t : all) t.score = 100;  // all are right
  CHECK(hesitant_limit(all, -2.9) == Approx(-3.0));
  CHECK(hesitant_limit(all, -4) == Approx(-4));
  for (auto& t : all) t.score = t.token_log_prob > -0.45 ? 100 : 1, t.token_log_prob /= 10;
  CHECK(hesitant_limit(all, -1) == Approx(hesitant_at_most));  // a sure translation, whatever the others are like
  CHECK(hesitant_limit({}, -1) == -1);
}

TEST_CASE("muted warnings: those that many references would have") {
  const auto muted = [](const Words& sources, const Words& targets) { return muted_warnings({sources, targets}); };
  CHECK(muted({"3 5 7", "1 2 4", "9 8 7"}, {"7 5 3", "4 2 1", "7 8 9"}) == Words{translates_signs});
  CHECK(muted({"3 5 7", "1 2 4", "?!"}, {"3 5 7", "1 2 4", "?!"}).empty());  // copies
  CHECK(muted({"357", "124", "987"}, {"753", "421", "789"}) == Words{translates_signs, "numbers"});
  Words sources(100, "A dog."), targets(100, "Ein Hund.");
  CHECK(muted(sources, targets).empty());
  for (int i = 0; i < 5; ++i) sources[i] = "A dog. A cat.";
  CHECK(muted(sources, targets).empty());  // one in twenty
  sources[5] = "A dog. A cat.";
  CHECK(muted(sources, targets) == Words{"several-sentences"});
  sources[6] = sources[7] = sources[8] = "17 dogs";
  CHECK(muted(sources, targets) ==
        Words{"numbers", "several-sentences"});  // few lines, but most of those with numbers
  for (int i = 0; i < 6; ++i) targets[i] = "nein nein nein";
  CHECK(muted(sources, targets) == Words{"numbers", "repetition", "several-sentences"});
  CHECK(muted({"17 dogs", "18 dogs"}, {"Hunde", "Hunde"}).empty());  // two are too few

  Words in_words(20, "Sixteen dogs run."), right(20, "Sechzehn Hunde laufen.");
  for (int i = 0; i < 4; ++i) right[i] = "Hunde laufen.";
  CHECK(muted_warnings({in_words, right}, {"en", "de"}).empty());  // one in five of those with a number, in words
  right[4] = right[0];
  CHECK(muted_warnings({in_words, right}, {"en", "de"}) == Words{"numbers"});
}

TEST_CASE("source pieces: those of the sources, in memory and in a file's rows") {
  const IdPairs pairs{{{5, 7}, {5}}, {{6, 8}, {9}}};
  const SeenPieces expected{false, false, false, false, false, true, false, true, false, false};
  CHECK(source_pieces(pairs, 10) == expected);
  const std::vector<std::int32_t> ids{5, 7, 5}, begin{0, 2, 3};
  const HostSentences rows{{ids.data(), {3}, 3}, {begin.data(), {3}, 3}};
  CHECK(source_pieces(PairsView(rows, rows), 10) == expected);
}

TEST_CASE("warning limits: as text and back") {
  const SeenPieces six{true, false, false, true, false, true};
  CHECK(to_digits(six) == "94");
  CHECK(pieces_of_digits("94") == SeenPieces{true, false, false, true, false, true, false, false});
  CHECK(to_digits({}).empty());
  CHECK_THROWS_AS(pieces_of_digits("9g"), Error);
}

TEST_CASE("training: the model's folder says what was measured, and a loaded model keeps it") {
  const Playground place("limits");
  TrainingRequest r = small(place.file("run"));
  r.tokenizer.rules.normalisation = Normalisation::always;
  r.joint_vocabulary = true, r.model.tying = Tying::all;
  REQUIRE(train(r, {}) == TrainingEnd::finished);
  const TrainingData data = training_data(r);
  const ModelFiles model = load_model(r.output);
  REQUIRE(model.limits.hesitant_below.has_value());
  CHECK(*model.limits.hesitant_below <= hesitant_at_most);
  CHECK(*model.unusual_below <= unusual_at_most);
  CHECK(model.limits.source_pieces == source_pieces(data.training_pairs(), data.tokenizers.source.size()));
  CHECK(std::count(model.limits.source_pieces.begin(), model.limits.source_pieces.end(), false) > 20);  // German
  CHECK(model.tokenizers.source.rules().normalisation == Normalisation::always);
  save_model(place.file("copy"), model);
  CHECK(read_file(place.file("copy/model.json")) == read_file(place.file("run/model.json")));
}

TEST_CASE("model.json: limits and normalisation are written beside the other fields, and wrong ones are refused") {
  const std::string text = read_file(toy_model() + "/model.json");
  ModelDescription d = model_description(text, "toy");
  d.rules.normalisation = Normalisation::never;
  d.limits = {-0.625, {"numbers"}, SeenPieces(d.config.source_vocab, true)};
  d.limits.source_pieces[4] = false;
  const ModelDescription again = model_description(to_json(d), "again");
  CHECK(again.rules.normalisation == Normalisation::never);
  CHECK(again.limits.hesitant_below == -0.625);
  CHECK(again.limits.muted == Words{"numbers"});
  CHECK(again.limits.source_pieces == d.limits.source_pieces);
  CHECK(to_json(again) == to_json(d));
  auto json = nlohmann::ordered_json::parse(to_json(d));
  for (const char* digits : {"", "ff", "zz"}) {
    json["source_pieces"] = digits;
    CHECK_THROWS_AS(model_description(json.dump(), "wrong"), Error);
  }
  json.erase("source_pieces"), json.erase("normalisation"), json.erase("hesitant_below");
  CHECK(model_description(json.dump(), "old").limits.source_pieces.empty());
  CHECK(model_description(json.dump(), "old").rules.normalisation == Normalisation::at_use);
  json["normalisation"] = "sometimes";
  CHECK_THROWS_AS(model_description(json.dump(), "wrong"), Error);
}

TEST_CASE("limits: a model that is always sure does not doubt its least sure translation, old or new") {
  ModelFiles model = load_model(std::string(GRADUS_CHAPTERS) + "/11_translator/models/en-de");
  const auto warns = [&](double unusual, std::optional<double> hesitant) {
    model.unusual_below = unusual, model.limits.hesitant_below = hesitant;
    const TranslatedText best = Translator::of(model).translate(Words{"Two men are playing soccer."}, {})[0][0];
    REQUIRE(best.token_log_prob > hesitant_at_most);
    return std::pair(best.unusual, best.hesitant);
  };
  CHECK(warns(-0.0005, {}) == std::pair(false, false));  // stored by an earlier version
  CHECK(warns(0, 0) == std::pair(true, true));           // what a model says counts
  CHECK(warns(-9, -8) == std::pair(false, false));
}
