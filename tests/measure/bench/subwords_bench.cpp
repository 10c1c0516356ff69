// The effect of subwords on Multi30k: the words of the German side, and pieces for each word for several vocabulary
// sizes. Prints JSON, for tests/measure/bench/record.py.
//
//     cmake --build build/release --target bench_subwords && build/release/.../bench_subwords DATA
//
// DATA: folder with Multi30k's raw train and test_2016_flickr (.en.gz, .de.gz).

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "01_embedding/vocabulary.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/io/utf8.hpp"
#include "gradus/text/packed_file.hpp"
#include "gradus/text/subwords.hpp"

using namespace gradus;

namespace {

using Lines = std::vector<std::string>;

void print(const char* name, double value) { std::printf(",\n \"%s\": %.6g", name, value); }

std::size_t count_words(const Lines& lines) {
  std::size_t n = 0;
  for (const std::string& line : lines) n += words_of(line, false).size();
  return n;
}

/// Words of the training side: how many are different, how many occur once, and how many words of a test set do not
/// occur.
void print_words(const Lines& train, const Lines& test) {
  std::map<std::string, int> known;
  for (const std::string& line : train) {
    for (const std::string& word : words_of(line, false)) ++known[word];
  }
  std::size_t characters = 0, unknown = 0, lines_with_unknown = 0;
  for (const std::string& line : test) {
    const Lines words = words_of(line, false);
    const auto is_new = [&](const std::string& word) { return known.count(word) == 0; };
    const auto found = static_cast<std::size_t>(std::count_if(words.begin(), words.end(), is_new));
    unknown += found;
    lines_with_unknown += found > 0 ? 1 : 0;
    characters += code_points(line).size();
  }
  print("train_sentences", static_cast<double>(train.size()));
  print("train_words", static_cast<double>(known.size()));
  print("train_words_once", static_cast<double>(std::count_if(known.begin(), known.end(),
                                                              [](const auto& word) { return word.second == 1; })));
  print("test_words", static_cast<double>(count_words(test)));
  print("test_words_new", static_cast<double>(unknown));
  print("test_sentences_with_new", static_cast<double>(lines_with_unknown) / static_cast<double>(test.size()));
  print("characters_a_word", static_cast<double>(characters) / static_cast<double>(count_words(test)));
}

struct Pieces {
  std::size_t all = 0, unknown = 0;
  std::set<int> ids;
};
Pieces pieces(const Subwords& subwords, const Lines& lines) {
  Pieces found;
  for (const std::string& line : lines) {
    const std::vector<int> ids = subwords.encode(line);
    found.all += ids.size();
    found.unknown += static_cast<std::size_t>(std::count(ids.begin(), ids.end(), Subwords::specials.unk));
    found.ids.insert(ids.begin(), ids.end());
  }
  return found;
}

Subwords learnt(const Lines& sentences, int size) {
  return Subwords::from_bytes(Subwords::train(sentences, {size, SubwordModel::bpe}));
}

Lines joined(Lines a, const Lines& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: bench_subwords DATA\n");
    return 2;
  }
  const auto read = [&](const char* file) {
    return read_lines(std::string(argv[1]) + "/" + file, read_packed_file);
  };
  const Lines de = read("train.de.gz"), en = read("train.en.gz"), both = joined(de, en);
  const Lines test_de = read("test_2016_flickr.de.gz"), test = joined(test_de, read("test_2016_flickr.en.gz"));

  std::printf("{\"language\": \"de\"");
  print_words(de, test_de);
  for (const int size : {1000, 4000, 6000, 10000}) {
    const double began = seconds();
    const Subwords subwords = learnt(both, size);
    const std::string of = "at_" + std::to_string(size);
    print((of + "_seconds").c_str(), seconds() - began);
    const double a_word =
        static_cast<double>(pieces(subwords, test_de).all) / static_cast<double>(count_words(test_de));
    print((of + "_pieces_a_test_word").c_str(), a_word);
  }

  const int size = 10000;
  const Subwords joint = learnt(both, size);
  const Pieces in_de = pieces(joint, de), in_en = pieces(joint, en);
  const auto shared =
      std::count_if(in_de.ids.begin(), in_de.ids.end(), [&](int id) { return in_en.ids.count(id) != 0; });
  print("used_on_both_sides", static_cast<double>(shared));
  print("test_pieces_unknown", static_cast<double>(pieces(joint, test).unknown));
  const std::size_t apart = pieces(learnt(de, size), de).all + pieces(learnt(en, size), en).all;
  print("separate_are_shorter", 1 - static_cast<double>(apart) / static_cast<double>(in_de.all + in_en.all));
  std::printf("}\n");
}
