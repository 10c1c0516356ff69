#pragma once
/// \file
/// What happens to a text before it is cut into pieces.

#include <cstddef>
#include <string>
#include <string_view>

#include "gradus/text/pieces/charsmap.hpp"
#include "gradus/text/pieces/piece_model.hpp"
#include "gradus/text/pieces/prefix_tree.hpp"

namespace gradus {

/// The number of bytes that the first byte of a character announces, but at most those of `text`, which is not empty.
std::size_t character_length(std::string_view text);

/// Rewrites characters by the model's rules, and then its spaces: none at the ends, one in the place of several, one more
/// before or after the text, and U+2581 in the place of each, as the settings say.
class PieceNormaliser {
 public:
  /// `symbols` are never rewritten, and outlive this. Throws Error, with `where` before it, if the rules cannot be read.
  PieceNormaliser(const NormaliserSettings& settings, const PrefixTree& symbols, const std::string& where);

  /// A byte that is not UTF-8 becomes U+FFFD, unless a rule or a symbol has it.
  std::string operator()(std::string_view text) const;

 private:
  Charsmap::Rule first(std::string_view text) const;
  void append(std::string& to, std::string_view text) const;

  NormaliserSettings settings_;
  const PrefixTree& symbols_;
  Charsmap rules_;
  std::string space_;  ///< what stands for a space
};

}  // namespace gradus
