#include "walk/task.hpp"

#include <algorithm>
#include <sstream>

#include "00_foundations/tiny.hpp"
#include "gradus/random/philox.hpp"
#include "gradus/util/error.hpp"

namespace gradus::page {

extern const char* const
    pairs_of_the_book;  // six_sentences.tsv, in a file that CMake makes: a browser has no files

namespace {

std::vector<std::int32_t> ids_of(const std::string& sentence, const std::vector<std::string>& vocabulary) {
  std::vector<std::int32_t> ids;
  std::istringstream words(sentence);
  for (std::string word; words >> word;) {
    const auto found = std::find(vocabulary.begin(), vocabulary.end(), word);
    if (found == vocabulary.end()) fail("the tiny model has no word " + word);
    ids.push_back(static_cast<std::int32_t>(found - vocabulary.begin()));
  }
  return ids;
}

ModelConfig sizes(std::size_t source_words, std::size_t target_words, std::size_t D, std::size_t H, std::size_t F) {
  ModelConfig c;
  c.source_vocab = source_words, c.target_vocab = target_words;
  c.d_model = D, c.heads = H, c.ffn = F;
  c.encoder_layers = c.decoder_layers = 1;
  c.tying = Tying::none;
  c.max_length = 16;
  return c;
}

constexpr std::int32_t first_digit = 4;  // behind the specials
constexpr std::uint32_t digits = 10;

/// `stream` tells the pairs of one list from those of another.
IdPairs reversals(std::uint32_t n, std::uint32_t stream) {
  IdPairs pairs;
  for (std::uint32_t i = 0; i < n; ++i) {
    std::vector<std::int32_t> sequence(3 + philox({i, 0, stream, 0}, 1)[0] % 4);
    for (std::uint32_t j = 0; j < sequence.size(); ++j)
      sequence[j] = first_digit + static_cast<std::int32_t>(philox({i, 1 + j, stream, 0}, 1)[0] % digits);
    pairs.source.push_back(sequence);
    pairs.target.emplace_back(sequence.rbegin(), sequence.rend());
  }
  return pairs;
}

}  // namespace

Task six_sentences() {
  Task task{"six sentences",
            sizes(tiny::english().size(), tiny::german().size(), tiny::D, tiny::H, tiny::F),
            {},
            {},
            6,
            true,
            tiny::english(),
            tiny::german()};
  std::istringstream lines(pairs_of_the_book);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t tab = line.find('\t');
    task.pairs.source.push_back(ids_of(line.substr(0, tab), tiny::english()));
    task.pairs.target.push_back(ids_of(line.substr(tab + 1), tiny::german()));
  }
  task.others = task.pairs;
  return task;
}

Task backwards() {
  std::vector<std::string> words{"<pad>", "<unk>", "<bos>", "<eos>"};
  for (std::uint32_t d = 0; d < digits; ++d) words.push_back(std::to_string(d));
  return {"digits backwards",
          sizes(words.size(), words.size(), 32, 2, 64),
          reversals(4096, 1),
          reversals(200, 2),
          64,
          false,
          words,
          words};
}

}  // namespace gradus::page
