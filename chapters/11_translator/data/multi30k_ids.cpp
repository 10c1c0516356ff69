#include "11_translator/data/multi30k_ids.hpp"

#include <utility>

#include "gradus/io/lines.hpp"
#include "gradus/text/packed_file.hpp"

namespace gradus {

IdCorpus multi30k_ids(const std::string& folder, const Tokenizers& words,
                      const std::function<bool()>& interrupted) {
  IdCorpus corpus{words.source.size(), words.target.size(), {}};
  for (const auto& [part, file] : {std::pair{"train", "train"}, {"val", "val"}, {"test", "test_2016_flickr"}}) {
    const std::string path = folder + "/" + file;
    const LinePairs lines = read_pairs(path + ".en.gz", path + ".de.gz", read_packed_file);
    for (std::size_t i = 0; i < lines.source.size(); ++i) {
      if (interrupted && interrupted()) return {corpus.source_vocab, corpus.target_vocab, {}};
      corpus.parts[part].source.push_back(words.source.encode(lines.source[i]));
      corpus.parts[part].target.push_back(words.target.encode(lines.target[i]));
    }
  }
  return corpus;
}

}  // namespace gradus
