#include "11_translator/data/id_file.hpp"

#include <charconv>
#include <sstream>
#include <system_error>

#include "gradus/util/error.hpp"

namespace gradus {
namespace {

constexpr const char* head = "gradus ids 1";

void append(std::string& text, const std::vector<std::int32_t>& ids) {
  for (std::size_t i = 0; i < ids.size(); ++i) text += (i == 0 ? "" : " ") + std::to_string(ids[i]);
}

/// Reads the ids of one side of a line; false if it contains anything else.
bool read_ids(const std::string& text, std::size_t vocab, std::vector<std::int32_t>& ids) {
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    std::int32_t id = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id);
    if (error != std::errc() || end != word.data() + word.size()) return false;
    if (id < 0 || static_cast<std::size_t>(id) >= vocab) return false;
    ids.push_back(id);
  }
  return true;
}

}  // namespace

std::string to_text(const IdCorpus& corpus) {
  std::string text = std::string(head) + "\nvocabulary " + std::to_string(corpus.source_vocab) + " " +
                     std::to_string(corpus.target_vocab) + "\n";
  for (const auto& [name, pairs] : corpus.parts) {
    text += "[" + name + "]\n";
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      append(text, pairs.source[i]);
      text += "\t";
      append(text, pairs.target[i]);
      text += "\n";
    }
  }
  return text;
}

IdCorpus id_corpus(const std::string& text, const std::string& origin) {
  std::istringstream in(text);
  std::string line, word;
  IdCorpus corpus;
  IdPairs* part = nullptr;
  if (!std::getline(in, line) || line != head) fail(origin + " is no file of ids");
  if (!(in >> word >> corpus.source_vocab >> corpus.target_vocab) || word != "vocabulary") {
    fail(origin + ":2: the sizes of the vocabularies are missing");
  }
  std::getline(in, line);
  for (std::size_t number = 3; std::getline(in, line); ++number) {
    const std::string where = origin + ":" + std::to_string(number) + ": ";
    if (line.size() > 2 && line.front() == '[' && line.back() == ']') {
      part = &corpus.parts[line.substr(1, line.size() - 2)];
      continue;
    }
    const auto tab = line.find('\t');
    if (part == nullptr || tab == std::string::npos)
      fail(where + "expected a pair of sentences with a tab between them");
    if (!read_ids(line.substr(0, tab), corpus.source_vocab, part->source.emplace_back()) ||
        !read_ids(line.substr(tab + 1), corpus.target_vocab, part->target.emplace_back())) {
      fail(where + "expected ids of the vocabulary, with spaces between them");
    }
  }
  return corpus;
}

}  // namespace gradus
