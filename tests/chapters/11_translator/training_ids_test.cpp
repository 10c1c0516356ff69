// A training that takes its ids from a file: the same bits as without, and no file that does not belong to it.

#include "11_translator/training/training_ids.hpp"

#include "11_translator/training/train_on.hpp"
#include "chapters/11_translator/small_training.hpp"
#include "gradus/util/digest.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// A training of a second, with copies of the toy texts that a case may change.
struct Toy {
  explicit Toy(const std::string& name) : place(name) {
    request = small(place.file("run"));
    for (std::string* text : {&request.train_source, &request.train_target})
      *text = place.write(std::filesystem::path(*text).filename(), read_file(*text));
    request.ids = place.file("ids");
  }

  /// Trains in a new folder; returns the lines that the user gets.
  std::string train_anew() {
    std::filesystem::remove_all(request.output);
    said.clear();
    TrainingListener listener;
    listener.say = listener.warn = [this](const std::string& line) { said += line + "\n"; };
    REQUIRE(train(request, listener) == TrainingEnd::finished);
    return said;
  }
  std::vector<float> weights() const { return stored_weights(request.output, "weights.safetensors"); }
  std::string ids() const { return read_file(request.ids); }
  bool took_file() const { return !lines_with(said, "taking vocabulary and ids from " + request.ids).empty(); }
  /// The one line that says why the file is made again; then the training must not differ from one without a file.
  void expect_made_again(const std::string& reason) {
    const std::string lines = train_anew();
    INFO(lines);
    CHECK(lines_with(lines, "made again") == request.ids + ": " + reason + "; it is made again\n");
    CHECK(!lines_with(lines, "the ids are kept in " + request.ids).empty());
    const std::vector<float> with_file = weights();
    TrainingRequest without = request;
    without.ids = "";
    std::swap(without, request);
    train_anew();
    std::swap(without, request);
    CHECK(weights() == with_file);
    train_anew();
    CHECK(took_file());
    CHECK(weights() == with_file);
  }

  Playground place;
  TrainingRequest request;
  std::string said;
};

}  // namespace

TEST_CASE("ids in a file: the same run, file for file, as without, for any number of threads") {
  Toy toy("ids-same");
  for (const TokenizerKind kind : {TokenizerKind::word, TokenizerKind::sentencepiece}) {
    for (const bool joint : {false, true}) {
      toy.request.tokenizer = {kind, kind == TokenizerKind::word ? 0 : 200, 1, {}};
      toy.request.joint_vocabulary = joint;
      toy.request.plan.batches.tokens = 20;  // some pairs are left out
      toy.request.plan.epochs = 1;
      const std::string file = std::exchange(toy.request.ids, "");
      const std::string plain = toy.train_anew();
      CHECK(plain.find(file) == plain.npos);
      std::vector<std::string> expected;
      const char* const names[] = {"weights.safetensors", "checkpoint.safetensors", "history.json", "results.json",
                                   "model.json"};
      for (const char* name : names) expected.push_back(read_file(toy.request.output + "/" + name));
      toy.request.ids = file;
      std::filesystem::remove(file);
      for (const std::size_t threads : {1, 2, 3}) {
        toy.request.threads = threads;
        const std::string lines = toy.train_anew();
        CHECK(toy.took_file() == (threads > 1));
        CHECK(lines_with(lines, "left out") == lines_with(plain, "left out"));
        CHECK(lines_with(lines, " pairs to train on") == lines_with(plain, " pairs to train on"));
        for (std::size_t i = 0; i < expected.size(); ++i) {
          INFO(names[i]);
          CHECK(read_file(toy.request.output + "/" + names[i]) == expected[i]);
        }
      }
    }
  }
}

TEST_CASE("ids in a file: one changed byte of a text makes another file") {
  Toy toy("ids-text");
  toy.train_anew();
  for (const std::string& path : {toy.request.train_source, toy.request.train_target}) {
    std::string text = read_file(path);
    const auto dot = text.find('.');
    REQUIRE(dot != text.npos);
    text[dot] = '!';
    write_atomically(path, text);
    toy.expect_made_again("made from another text, with other choices or by other libraries");
  }
  std::swap(toy.request.train_source, toy.request.train_target);
  toy.expect_made_again("made from another text, with other choices or by other libraries");
}

TEST_CASE("ids in a file: another vocabulary, limit or mark makes another file") {
  Toy toy("ids-choices");
  toy.train_anew();
  TrainingRequest& r = toy.request;
  const std::vector<std::function<void()>> changes{[&] { r.tokenizer.min_frequency = 2; },
                                                   [&] { r.tokenizer.vocab_size = 60; },
                                                   [&] { r.tokenizer.rules.lower_case = true; },
                                                   [&] { r.tokenizer.rules.punctuation = false; },
                                                   [&] { r.tokenizer.rules.normalisation = Normalisation::always; },
                                                   [&] { r.joint_vocabulary = true; },
                                                   [&] { r.plan.batches.tokens = 25; },
                                                   [&] {
                                                     r.tokenizer = {TokenizerKind::sentencepiece, 200, 1, {}};
                                                   },
                                                   [&] { r.plan.marks.bos = 3; },
                                                   [&] { r.plan.marks.target_eos = 2; },
                                                   [&] { r.plan.marks.source_eos = 2; }};
  for (const auto& change : changes) {
    change();
    toy.expect_made_again("made from another text, with other choices or by other libraries");
  }
}

TEST_CASE("ids in a file: the vocabulary of --init-from decides it too") {
  Toy first("ids-first"), toy("ids-init");
  for (const int least : {1, 2}) {
    first.request.tokenizer.min_frequency = least;
    first.train_anew();
    toy.request.init_from = first.request.output;
    if (least == 1) {
      toy.train_anew();
    } else {
      toy.expect_made_again("made from another text, with other choices or by other libraries");
    }
  }
}

TEST_CASE(
    "ids in a file: a file that is cut short, damaged, of another version or from another machine is made again") {
  Toy toy("ids-damaged");
  toy.train_anew();
  const std::string good = toy.ids();
  const auto with = [&](std::size_t at, char byte) {
    std::string bytes = good;
    bytes[at] = byte;
    return bytes;
  };
  const std::vector<std::pair<std::string, std::string>> files{
      {good.substr(0, good.size() - 1), "damaged or cut short"},
      {good.substr(0, 40), "cut short"},
      {with(good.size() / 2, '\xff'), "damaged or cut short"},
      {with(8, 9), "of another version"},
      {with(12, 1), "from a machine with another order of bytes"}};
  for (const auto& [bytes, reason] : files) {
    write_atomically(toy.request.ids, bytes);
    toy.expect_made_again(reason);
    CHECK(toy.ids() == good);
  }
}

TEST_CASE(
    "ids in a file: another SentencePiece makes another file where it learns, so not for words or a given "
    "vocabulary") {
  const Playground place("ids-library");
  const std::string other = place.file("libraries");
  std::filesystem::create_directory(other);
  const std::string copies = "for f in $(ldd " + program_file() +
                             " | awk '/libsentencepiece/ { print $3 }'); do cp $f " + other + " && echo >> " +
                             other + "/${f##*/}; done";
  REQUIRE(std::system(copies.c_str()) == 0);
  if (std::filesystem::is_empty(other)) return;  // SentencePiece is a part of the program
  const auto said = [&](const std::string& ids, const std::string& training, const std::string& libraries) {
    setenv("LD_LIBRARY_PATH", libraries.c_str(), 1);
    const Result r = gradus_program(place, training + " --overwrite --max-steps 1 --ids " + place.file(ids));
    unsetenv("LD_LIBRARY_PATH");
    REQUIRE(r.status == 0);
    return lines_with(r.err, "ids");
  };
  const std::string toy = std::string(GRADUS_CHAPTERS) + "/11_translator/toy/";
  const std::string given = "train --train-source " + toy + "train.en --train-target " + toy +
                            "train.de --valid-split 9 --output " + place.file("run") + " --init-from " +
                            place.file("first");
  const struct {
    std::string ids, training;
    bool is_learnt_by_it;
  } rows[] = {{"subwords", toy_training(place.file("first"), "--vocab-size 120"), true},
              {"words", toy_training(place.file("run"), "--vocab-size 120 --tokenizer word"), false},
              {"given", given, false}};
  for (const auto& row : rows) {
    said(row.ids, row.training, "");
    CHECK(said(row.ids, row.training, "").find("taking vocabulary and ids") != std::string::npos);
    const bool again = said(row.ids, row.training, other).find("it is made again") != std::string::npos;
    CHECK(again == row.is_learnt_by_it);
  }
}

TEST_CASE(
    "ids in a file: the output folder need not exist, and half a file of a killed training goes after an hour") {
  Toy toy("ids-places");
  const auto left = [&](int minutes) {
    const auto path = toy.place.write("ids.tmp-0123456789abcdef", "half");
    std::filesystem::last_write_time(path,
                                     std::filesystem::file_time_type::clock::now() - std::chrono::minutes(minutes));
    toy.train_anew();
    return std::filesystem::exists(path);
  };
  CHECK(left(50));
  CHECK(left(70));  // these ids are there, so no file is written
  std::filesystem::remove(toy.request.ids);
  CHECK_FALSE(left(70));
  for (const char* const output : {"new", "new/", "./new", "new/below"}) {
    toy.request.output = toy.place.file(output);
    toy.request.ids = toy.place.file(std::string(output) + "/my.ids");
    toy.train_anew();
    CHECK(std::filesystem::exists(toy.request.ids));
  }
}

TEST_CASE("ids in a file: a file of something else is not replaced, and --ids needs texts in files") {
  Toy toy("ids-foreign");
  toy.place.write("ids", "my text");
  CHECK_THROWS_WITH(train(toy.request, {}), contains("is no file of ids, and is left as it is"));
  CHECK(toy.ids() == "my text");
  toy.request.ids = toy.place.file("no/folder");
  CHECK_THROWS_WITH(train(toy.request, {}), contains("there is no folder"));
  toy.request.ids = toy.place.file("other");
  toy.request.train_source = "/dev/null";
  CHECK_THROWS_WITH(train(toy.request, {}), contains("a pipe cannot be read a second time"));
  CHECK_FALSE(std::filesystem::exists(toy.request.output));
}

TEST_CASE("ids in a file: validation pairs that are training pairs are found there too") {
  Toy toy("ids-shared");
  const auto warning = [&] { return lines_with(toy.train_anew(), "are training pairs too"); };
  CHECK(warning().empty());
  CHECK(warning().empty());
  toy.request.valid_source = toy.request.train_source, toy.request.valid_target = toy.request.train_target;
  const std::string file = std::exchange(toy.request.ids, "");
  const std::string plain = warning();
  CHECK(plain.find("400 of 400") != plain.npos);
  toy.request.ids = file;
  CHECK(warning() == plain);
  CHECK(toy.took_file());
}

TEST_CASE("ids in a file: a name without a folder is one in the folder of the program's start") {
  Toy toy("ids-name");
  toy.request.ids = "plain.ids";
  CHECK(ids_place(toy.request, nullptr).path == "plain.ids");
}

TEST_CASE("ids in a file: large texts have it in the output folder, and it stays with --overwrite") {
  Toy toy("ids-large");
  TrainingRequest& r = toy.request;
  r.ids = "";
  CHECK(ids_place(r, nullptr).path.empty());
  std::string long_text = "a b\n";
  long_text.resize(16'000'000, ' ');  // the second line has no word
  toy.place.write("train.en", long_text + "\n");
  toy.place.write("train.de", "c d\ne\n");
  CHECK(ids_place(r, nullptr).path == r.output + "/training.ids");
  TrainingListener listener;
  listener.say = [&](const std::string& line) { toy.said += line + "\n"; };
  REQUIRE(train(r, listener) == TrainingEnd::finished);
  CHECK(std::filesystem::exists(r.output + "/training.ids"));
  const std::vector<float> weights = toy.weights();
  r.overwrite = true;
  REQUIRE(train(r, listener) == TrainingEnd::finished);
  CHECK(!lines_with(toy.said, "taking vocabulary and ids from " + r.output + "/training.ids").empty());
  CHECK(lines_with(toy.said, "the ids are kept in") == "the ids are kept in " + r.output + "/training.ids\n");
  CHECK(toy.weights() == weights);

  write_atomically(r.output + "/training.ids", "my notes");
  CHECK_THROWS_WITH(train(r, listener), contains("is no file of ids, and is left as it is"));
  CHECK(read_file(r.output + "/training.ids") == "my notes");
}
