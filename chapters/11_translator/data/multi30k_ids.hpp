#pragma once
/// \file
/// The data set as ids of a model, for a machine that has no tokenizer.

#include <functional>
#include <string>

#include "11_translator/data/id_file.hpp"
#include "11_translator/data/tokenizer.hpp"

namespace gradus {

/// The pairs of train, val and test (test_2016_flickr) in `folder`, English with the source's vocabulary, German with the
/// target's; end marks not included. Asks `interrupted`, which may be absent, before each pair, and gives up what it has
/// if so: then the corpus has no parts.
IdCorpus multi30k_ids(const std::string& folder, const Tokenizers& words,
                      const std::function<bool()>& interrupted = {});

}  // namespace gradus
