#pragma once
/// \file
/// Short trainings on the toy text, for their messages.

#include <string>

#include "chapters/11_translator/word_training.hpp"
#include "gradus/io/lines.hpp"

namespace gradus::test {

inline const std::string toy_texts = std::string(GRADUS_CHAPTERS) + "/11_translator/toy/";

/// A short training on the toy text with these options; its messages.
inline std::string messages_of(const Playground& place, const std::string& options) {
  const Result r =
      gradus_program(place, "train --output " + place.file("run") + " --overwrite --max-steps 1" +
                                with_usual("--d-model 8 --heads 2 --layers 1 --ffn 8 --vocab-size 300", options));
  INFO(r.err);
  CHECK(r.status == 0);
  return r.err;
}

/// The text in a file of pairs.
inline std::string toy_pairs(const std::string& name) {
  const LinePairs lines = read_pairs(toy_texts + name + ".en", toy_texts + name + ".de");
  std::string text;
  for (std::size_t i = 0; i < lines.source.size(); ++i) text += lines.source[i] + "\t" + lines.target[i] + "\n";
  return text;
}

inline std::string sides_of(const std::string& part, const std::string& source, const std::string& target) {
  return "--" + part + "-source " + source + " --" + part + "-target " + target + " ";
}

}  // namespace gradus::test
