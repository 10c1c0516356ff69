#include "app/import/npy.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

/// The text of the dictionary, taken from its front token by token. Spaces between tokens do not matter.
class NpyDictionary {
 public:
  NpyDictionary(std::string_view text, const std::string& name) : all_(text), rest_(text), name_(name) {}

  [[noreturn]] void refuse() const {
    constexpr std::size_t most = 80;
    fail(name_ +
         " has another header than numpy writes for an array: " + quoted(std::string(all_.substr(0, most))));
  }

  bool takes(std::string_view token) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n"), rest_.size()));
    if (rest_.substr(0, token.size()) != token) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  void take(std::string_view token) {
    if (!takes(token)) refuse();
  }

  std::string word() {
    take("'");
    const std::size_t end = rest_.find('\'');
    if (end == rest_.npos || end == 0) refuse();
    std::string word(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return word;
  }

  std::size_t number() {
    takes("");  // spaces
    std::size_t n = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), n);
    if (error != std::errc()) refuse();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return n;
  }

  /// Calls `item` for each part between the brackets, of which the last may have a comma behind it.
  template <class Item>
  void list(std::string_view open, std::string_view close, const Item& item) {
    take(open);
    while (!takes(close)) {
      item();
      if (takes(",")) continue;
      take(close);
      return;
    }
  }

  bool is_empty() { return takes("") && rest_.empty(); }

 private:
  std::string_view all_, rest_;
  const std::string& name_;
};

NpyHeader parse_npy_dictionary(std::string_view text, const std::string& name) {
  NpyDictionary from(text, name);
  NpyHeader header;
  int types = 0, orders = 0, shapes = 0;
  from.list("{", "}", [&] {
    const std::string key = from.word();
    from.take(":");
    if (key == "descr") {
      header.type = from.word();
      ++types;
    } else if (key == "fortran_order") {
      if (from.takes("True")) fail(name + " is stored by columns (fortran_order); only rows are read");
      from.take("False");
      ++orders;
    } else if (key == "shape") {
      from.list("(", ")", [&] { header.shape.push_back(from.number()); });
      ++shapes;
    } else {
      from.refuse();
    }
  });
  if (types != 1 || orders != 1 || shapes != 1 || !from.is_empty()) from.refuse();
  for (const std::size_t n : header.shape) {
    if (n == 0) fail(name + " has the size 0");
  }
  return header;
}

}  // namespace

NpyHeader parse_npy_header(std::string_view bytes, const std::string& name) {
  constexpr std::string_view magic = "\x93NUMPY";
  constexpr std::size_t version = magic.size();  // one byte, and another that may have any value
  const auto byte = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[at])); };
  if (bytes.substr(0, magic.size()) != magic || bytes.size() < version + 4) fail(name + " is no array of numpy");
  if (byte(version) < 1 || byte(version) > 3)
    fail(name + " has version " + std::to_string(byte(version)) + " of numpy's format; 1 to 3 are read");
  const std::size_t width = byte(version) == 1 ? 2 : 4, first = version + 2 + width;
  std::size_t length = 0;
  for (std::size_t k = 0; k < width && first <= bytes.size(); ++k) length |= byte(version + 2 + k) << (8 * k);
  if (first > bytes.size() || length > bytes.size() - first) fail(name + " is cut: it ends within its header");
  NpyHeader header = parse_npy_dictionary(bytes.substr(first, length), name);
  header.length = first + length;
  return header;
}

}  // namespace gradus
