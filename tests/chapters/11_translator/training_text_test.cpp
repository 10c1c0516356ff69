// Where the text of a training comes from: files of one language, files of pairs, and a part for validation.

#include "11_translator/training/training_text.hpp"

#include <algorithm>
#include <set>

#include "11_translator/training/training_recipe.hpp"
#include "chapters/11_translator/small_training.hpp"
#include "chapters/11_translator/toy.hpp"
#include "gradus/util/error.hpp"
#include "lib/io/files.hpp"

using namespace gradus;
using namespace gradus::test;
using Lines = std::vector<std::string>;

namespace {

std::string pair_text(const LinePairs& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.source.size(); ++i) text += lines.source[i] + "\t" + lines.target[i] + "\n";
  return text;
}

/// Pairs of which no two are equal.
LinePairs numbered(std::size_t count) {
  LinePairs lines;
  for (std::size_t i = 0; i < count; ++i)
    lines.source.push_back("s" + std::to_string(i)), lines.target.push_back("t" + std::to_string(i));
  return lines;
}

TrainingRequest request_of(const std::string& pairs, std::uint32_t split, std::uint64_t seed = 1) {
  TrainingRequest r;
  r.train_pairs = pairs, r.valid_split = split, r.plan.seed = seed;
  return r;
}

std::string recipe_in(const std::string& run) { return RunFolder(run).recipe(); }

}  // namespace

TEST_CASE("training text: pairs in one file are the same text as two files, packed or not") {
  const Playground place("text-pairs");
  const LinePairs train = read_pairs(toy("train.en"), toy("train.de")),
                  valid = read_pairs(toy("valid.en"), toy("valid.de"));
  TrainingRequest two = small(place.file("two"));
  REQUIRE(train.source.size() != valid.source.size());
  TrainingRequest one = small(place.file("one"));
  one.train_source = one.train_target = one.valid_source = one.valid_target = "";
  one.train_pairs = place.write("train.tsv", pair_text(train));
  one.valid_pairs = place.write("valid.tsv", pair_text(valid));
  REQUIRE(std::system(("gzip " + one.train_pairs).c_str()) == 0);
  one.train_pairs += ".gz";
  CHECK(training_files(one) == Lines{one.train_pairs});
  CHECK(training_files(two) == Lines{two.train_source, two.train_target});
  REQUIRE(train_result(two) == TrainingEnd::finished);
  REQUIRE(train_result(one) == TrainingEnd::finished);
  CHECK(recipe_in(one.output) == recipe_in(two.output));
  CHECK(read_file(one.output + "/weights.safetensors") == read_file(two.output + "/weights.safetensors"));
}

TEST_CASE("training text: a part for validation is taken out by the seed, and both keep their order") {
  const Playground place("text-split");
  const LinePairs all = numbered(97);
  const std::string path = place.write("all.tsv", pair_text(all));
  const TrainingText text = training_text(request_of(path, 13, 5));
  REQUIRE(text.valid.source.size() == 13);
  REQUIRE(text.train.source.size() == 84);
  std::set<std::string> seen;
  for (const LinePairs* part : {&text.train, &text.valid}) {
    std::size_t before = 0;
    for (std::size_t i = 0; i < part->source.size(); ++i) {
      const std::size_t number = std::stoul(part->source[i].substr(1));
      CHECK((i == 0 || number > before));
      CHECK(part->target[i] == "t" + std::to_string(number));
      seen.insert(part->source[i]);
      before = number;
    }
  }
  CHECK(seen.size() == 97);
  CHECK(training_text(request_of(path, 13, 5)).valid.source == text.valid.source);
  CHECK(training_text(request_of(path, 13, 6)).valid.source != text.valid.source);
  CHECK(training_text(request_of(path, 13, 5), false).valid.source == text.valid.source);
  CHECK(training_text(request_of(path, 13, 5), false).train.source.empty());
  CHECK(training_text(request_of(path, 96)).train.source.size() == 1);
  for (const std::uint32_t many : {97U, 98U, 1000U})
    CHECK(error_of([&] { training_text(request_of(path, many)); }) ==
          "--valid-split " + std::to_string(many) + " leaves no pair to train on: the text has 97; take fewer");
}

TEST_CASE("training text: pairs of an older text are mixed in by their share, chosen by the seed") {
  const Playground place("text-mix");
  LinePairs older = numbered(50);
  std::string source, target;
  for (std::size_t i = 0; i < 50; ++i)
    source += "old " + older.source[i] + "\n", target += "old " + older.target[i] + "\n";
  TrainingRequest r = request_of(place.write("all.tsv", pair_text(numbered(97))), 13);
  const TrainingText plain = training_text(r);
  r.mix_source = place.write("old.s", source), r.mix_target = place.write("old.t", target);
  CHECK(training_files(r) == Lines{r.train_pairs, r.mix_source, r.mix_target});
  const auto mixed = [&](double share, std::uint64_t seed = 1) {
    r.mix_share = share, r.plan.seed = seed;
    const TrainingText text = training_text(r);
    std::vector<std::size_t> chosen;
    for (std::size_t i = 84; i < text.train.source.size(); ++i) {
      chosen.push_back(std::stoul(text.train.source[i].substr(5)));
      CHECK(text.train.target[i] == "old t" + std::to_string(chosen.back()));
    }
    CHECK(std::is_sorted(chosen.begin(), chosen.end()));
    CHECK(std::set<std::size_t>(chosen.begin(), chosen.end()).size() == chosen.size());
    if (seed == 1) {
      CHECK(text.valid.source == plain.valid.source);
      CHECK(Lines(text.train.source.begin(), text.train.source.begin() + 84) == plain.train.source);
    }
    return chosen;
  };
  CHECK(mixed(0.2).size() == 21);  // of 105
  CHECK(mixed(0.25).size() == 28);
  CHECK(mixed(0.2, 2) != mixed(0.2, 3));
  CHECK(mixed(0.9).size() == 50);  // there are no more
  CHECK(training_text(r).mixed == 50);
  CHECK(training_text(r, false).train.source.empty());
  r.mix_source = r.mix_target = r.train_pairs;
  CHECK_THAT(error_of([&] { training_text(r); }), contains("--mix-source and --mix-target need a file each"));
}

TEST_CASE("training text: ids that are kept know what was mixed in") {
  const Playground place("text-mix-ids");
  TrainingRequest r = small(place.file("one"));
  r.ids = place.file("ids"), r.max_steps = 1;
  r.mix_source = place.write("s", "a dog\na cat\n"), r.mix_target = place.write("t", "ein Hund\neine Katze\n");
  REQUIRE(train_result(r) == TrainingEnd::stopped);
  const auto said = [&](const std::string& output) {
    TrainingRequest next = r;
    next.output = place.file(output);
    std::string text;
    TrainingListener listener;
    listener.say = [&](const std::string& line) { text += line + "\n"; };
    train(next, listener);
    return text;
  };
  CHECK(said("two").find("made from another text") == std::string::npos);
  r.mix_share = 0.01;
  CHECK_THAT(said("three"), contains("made from another text"));
  place.write("t", "ein Hund\nein Kater\n");
  CHECK_THAT(said("four"), contains("made from another text"));
  r.plan.seed = 2;
  CHECK_THAT(said("five"), contains("made from another text"));
}

TEST_CASE("training text: pairs with an empty side are left to the training, which counts what it leaves out") {
  const Playground place("text-split-empty");
  LinePairs all = numbered(40);
  const std::string nothing[] = {"", " ", "\u00a0\u3000", "\u200b\u00ad"};
  for (std::size_t i = 0; i < 36; ++i) (i % 2 == 0 ? all.source : all.target)[i] = nothing[i % 4];
  const std::string path = place.write("all.tsv", pair_text(all));
  const TrainingText text = training_text(request_of(path, 3));
  CHECK(text.train.source.size() == 37);
  REQUIRE(text.valid.source.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(text.valid.target[i] == "t" + text.valid.source[i].substr(1));
  CHECK(error_of([&] { training_text(request_of(path, 4)); }) ==
        "--valid-split 4 leaves no pair to train on: the text has 4 without an empty side; take fewer");
  for (std::string& line : all.source) line = " ";
  CHECK(error_of([&] { training_text(request_of(place.write("none.tsv", pair_text(all)), 3)); }) ==
        place.file("none.tsv") + ": there is nothing to learn from, because each pair has an empty side");
}

TEST_CASE(
    "training text: validation's part and what is mixed in stay the same with more threads, kept ids and a second "
    "start") {
  const Playground place("text-recipe");
  const std::string path = place.write("all.tsv", pair_text(read_pairs(toy("train.en"), toy("train.de"))));
  const auto with = [&](const std::string& name, std::size_t threads) {
    TrainingRequest r = small(place.file(name));
    r.train_source = r.train_target = r.valid_source = r.valid_target = "";
    r.train_pairs = path, r.valid_split = 31, r.threads = threads;
    r.mix_source = toy("valid.en"), r.mix_target = toy("valid.de");
    return r;
  };
  REQUIRE(train_result(with("one", 1)) == TrainingEnd::finished);
  const std::string recipe = recipe_in(place.file("one"));
  CHECK(nlohmann::json::parse(recipe).at("validation split") == 31);
  REQUIRE(train_result(with("three", 3)) == TrainingEnd::finished);
  TrainingRequest kept = with("kept", 2);
  kept.ids = place.file("pairs.ids");
  kept.max_steps = 3;
  REQUIRE(train_result(kept) == TrainingEnd::stopped);
  kept.max_steps = 0;  // the ids are there now
  REQUIRE(train_result(kept) == TrainingEnd::finished);
  for (const char* name : {"three", "kept"}) {
    CHECK(recipe_in(place.file(name)) == recipe);
    CHECK(read_file(place.file(name) + std::string("/weights.safetensors")) ==
          read_file(place.file("one/weights.safetensors")));
  }
  TrainingRequest other = with("one", 1);
  other.valid_split = 32;
  CHECK_THAT(error_of([&] { train_result(other); }), contains("a run with other choices (--valid-split "));
  other = with("one", 1);
  other.mix_share = 0.05;
  CHECK_THAT(error_of([&] { train_result(other); }), contains("a run with other choices (training data"));
  TrainingRequest seed = kept;
  seed.output = place.file("seed"), seed.plan.seed = 2;
  std::string said;
  TrainingListener listener;
  listener.say = [&](const std::string& line) { said += line + "\n"; };
  train(seed, listener);
  CHECK_THAT(said, contains("pairs.ids: made from another text"));  // the seed chooses the part
}

TEST_CASE("training text: one file of pairs on both sides is noticed, and its right option named") {
  const Playground place("text-sides");
  const std::string path = place.write("a.tsv", pair_text(numbered(11))),
                    copy = place.write("b.tsv", pair_text(numbered(11))),
                    plain = place.write("plain", "one\ntwo\nthree\n"), few = place.write("few", "a\tb\nc\nd\n");
  TrainingRequest r;
  r.valid_source = r.valid_target = plain;
  for (const std::string& target : {path, copy}) {
    r.train_source = path, r.train_target = target;
    CHECK(error_of([&] { training_text(r); }) ==
          path + " is given as both sides, and has pairs with a tab between them; give it once, as --train " +
              path);
  }
  for (const std::string& same : {plain, few}) {  // a text that is its own translation
    r.train_source = r.train_target = same;
    CHECK(training_text(r).train.source.size() == 3);
  }
  r.valid_source = r.valid_target = path;
  CHECK_THAT(error_of([&] { training_text(r); }), contains("give it once, as --valid " + path));
}
