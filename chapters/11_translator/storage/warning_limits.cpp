#include "11_translator/storage/warning_limits.hpp"

#include <string_view>

#include "gradus/util/error.hpp"

namespace gradus {
namespace {

constexpr std::string_view hexadecimal = "0123456789abcdef";

}  // namespace

std::string to_digits(const SeenPieces& pieces) {
  std::string digits;
  for (std::size_t first = 0; first < pieces.size(); first += 4) {
    std::size_t four = 0;
    for (std::size_t id = first; id < first + 4; ++id)
      four = 2 * four + (id < pieces.size() && pieces[id] ? std::size_t{1} : std::size_t{0});
    digits += hexadecimal[four];
  }
  return digits;
}

SeenPieces pieces_of_digits(const std::string& digits) {
  SeenPieces pieces;
  for (const char digit : digits) {
    const std::size_t four = hexadecimal.find(digit);
    if (four == hexadecimal.npos) fail("its list of pieces has other signs than the digits 0 to 9 and a to f");
    for (std::size_t bit = 8; bit != 0; bit /= 2) pieces.push_back((four & bit) != 0);
  }
  return pieces;
}

}  // namespace gradus
