// Words to ids to vectors, and the gradient back to the words: "the cat sleeps" with D = 4.

#include <cstdio>

#include "00_foundations/tiny.hpp"
#include "01_embedding/lookup.hpp"
#include "01_embedding/vocabulary.hpp"

using namespace gradus;
using tiny::D;
using tiny::Device;

namespace {

Ints<Device, 1> view(const std::vector<std::int32_t>& ids) { return {ids.data(), {ids.size()}, ids.size()}; }
Out<Device, 2> view(std::vector<double>& values) { return {values.data(), {values.size() / D, D}, D}; }

/// The English sides of the six sentence pairs that the tiny model was trained on.
Vocabulary learnt() {
  VocabularyOptions options;
  options.lower_case = true;
  return Vocabulary::learn({"the cat sleeps", "the dog sleeps", "the dog sees the cat", "the cat sees the dog",
                            "the bird sings", "a bird sees the dog"},
                           options);
}

void print(const Vocabulary& english, const std::string& sentence) {
  std::printf("%-16s words:", sentence.c_str());
  for (const std::string& word : words_of(sentence, true)) std::printf(" %7s", word.c_str());
  std::printf("\n%-16s ids:  ", "");
  for (const int id : english.encode(sentence)) std::printf(" %7d", id);
  std::printf("\n%-16s back:  %s\n", "", english.decode(english.encode(sentence)).c_str());
}

/// The vectors of `ids`, (N, D); chapter 02 adds positions to them.
std::vector<double> lookup(const std::vector<std::int32_t>& ids, double scale) {
  Device dev;
  std::vector<double> x(ids.size() * D);
  lookup_forward(dev, view(x), view(ids), tiny::matrix("source_embedding"), {scale, 0});
  return x;
}

void gradient_back(const Vocabulary& english) {
  std::vector<std::int32_t> ids = english.encode("the cat sees the dog");
  ids.push_back(english.specials().pad);
  std::vector<double> dy, dtable(tiny::english().size() * D, 0);
  for (std::size_t n = 0; n < ids.size(); ++n) dy.insert(dy.end(), D, static_cast<double>(1 << n));
  Device dev;
  lookup_backward(dev, view(dtable), view(dy), view(ids), {embedding_scale(D), english.specials().pad});
  tiny::section("the gradient back to the words");
  tiny::print("dy (N, D): row n is 2^n", view(dy), tiny::words(tiny::english(), ids));
  tiny::print("dtable (Vocab, D)", view(dtable), tiny::english());
}

}  // namespace

int main() {
  const Vocabulary english = learnt();
  tiny::section("words to ids");
  std::printf("learnt from six sentences:\n ");
  for (int id = 0; id < english.size(); ++id) std::printf(" %d=%s", id, english.word(id).c_str());
  std::printf("\n");
  print(english, "The dog sees");
  print(english, "The fish sees");

  std::vector<std::int32_t> ids = english.encode("the cat sleeps");
  ids.push_back(english.specials().eos);  // a source sentence ends with <eos>
  const std::vector<std::string> words = tiny::words(tiny::english(), ids);
  tiny::section("the sentence as ids");
  for (std::size_t n = 0; n < ids.size(); ++n) std::printf("  %-8s %3d\n", words[n].c_str(), ids[n]);

  tiny::section("the sentence as vectors");
  tiny::print("source_embedding (Vocab, D)", tiny::matrix("source_embedding"), tiny::english());
  std::vector<double> plain = lookup(ids, 1), scaled = lookup(ids, embedding_scale(D));
  tiny::print("rows of the table (N, D)", view(plain), words);
  tiny::print("y = sqrt(D) times these (N, D)", view(scaled), words);

  gradient_back(english);
}
