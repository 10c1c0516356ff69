#include <string>
#include <vector>

#include "gradus/text/subwords.hpp"
#include "gradus/util/error.hpp"

namespace gradus {

std::string Subwords::train(const std::vector<std::string>& /*sentences*/, const SubwordOptions& /*options*/) {
  fail(
      "this program was built without SentencePiece, which learns subwords; "
      "install it (Debian: libsentencepiece-dev) and build again");
}

std::string subword_library() { return " none"; }

}  // namespace gradus
