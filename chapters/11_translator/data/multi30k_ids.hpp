#pragma once
/// \file
/// The data set as ids of a model, for a machine without a tokenizer.

#include <functional>
#include <string>

#include "11_translator/data/id_file.hpp"
#include "11_translator/data/tokenizer.hpp"

namespace gradus {

/// The pairs of train, val and test (test_2016_flickr) in `folder`: English with the source vocabulary, German with
/// the target vocabulary, without end marks. Calls `interrupted`, which may be absent, before each pair; if it
/// returns true, the result has no parts.
IdCorpus multi30k_ids(const std::string& folder, const Tokenizers& words,
                      const std::function<bool()>& interrupted = {});

}  // namespace gradus
