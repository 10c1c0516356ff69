#pragma once
/// \file
/// `gradus train` on whole words, and what its refusals look like, for tests of the command line.

#include <filesystem>
#include <string>
#include <utility>

#include "chapters/11_translator/program.hpp"
#include "support/catch.hpp"

namespace gradus::test {

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Requires one line that names `about`, nothing on the standard output, status 2.
inline void expect_usage_error(const Result& r, const std::string& about) {
  INFO(r.err);
  CHECK(r.status == 2);
  CHECK(r.out.empty());
  CHECK(lines_in(r.err) == 1);
  CHECK(r.err.rfind("gradus: ", 0) == 0);
  CHECK(contains(r.err, about));
}

/// A training of words on the toy corpus that takes less than a second.
inline std::string word_training(const Playground& place, const std::string& more = "") {
  const std::string toy = std::string(GRADUS_CHAPTERS) + "/11_translator/toy/";
  std::filesystem::create_directories(place.file("text"));
  const std::pair<const char*, const char*> names[] = {
      {"train.en", "train.en"}, {"train.de", "train.de"}, {"valid.en", "val.en"}, {"valid.de", "val.de"}};
  for (const auto& [from, to] : names) {
    std::filesystem::copy_file(toy + from, place.file(std::string("text/") + to),
                               std::filesystem::copy_options::overwrite_existing);
  }
  return "train --data " + place.file("text") + " --output " + place.file("run") +
         with_usual(
             "--tokenizer word --d-model 8 --heads 2 --layers 1 --ffn 8 --epochs 1 --batch-tokens 600 --warmup 5",
             more);
}

}  // namespace gradus::test
