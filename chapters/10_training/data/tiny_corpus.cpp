#include "10_training/data/tiny_corpus.hpp"

#include "gradus/io/lines.hpp"
#include "gradus/util/error.hpp"

namespace gradus {

TinyCorpus load_tiny_corpus(const std::string& path) {
  TinyCorpus corpus;
  for (const std::string& line : read_lines(path)) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) fail(path + ": \"" + line + "\" has no tab between its two sides");
    corpus.english.push_back(line.substr(0, tab));
    corpus.german.push_back(line.substr(tab + 1));
  }
  corpus.source = Vocabulary::learn(corpus.english);
  corpus.target = Vocabulary::learn(corpus.german);
  for (const std::string& s : corpus.english) corpus.pairs.source.push_back(corpus.source.encode(s));
  for (const std::string& s : corpus.german) corpus.pairs.target.push_back(corpus.target.encode(s));
  return corpus;
}

}  // namespace gradus
