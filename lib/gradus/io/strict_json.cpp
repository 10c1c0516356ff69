#include "gradus/io/strict_json.hpp"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

using nlohmann::json;

/// The escape \uD800 to \uDFFF that ends nearest before `end`.
std::string surrogate_before(std::string_view text, std::size_t end) {
  for (std::size_t at = text.rfind("\\u", end); at != text.npos;
       at = at == 0 ? text.npos : text.rfind("\\u", at - 1)) {
    std::string escape(text.substr(at, 6));
    if (escape.size() == 6 && (escape[2] == 'd' || escape[2] == 'D') && escape[3] > '7') return escape;
  }
  return "an escape";
}

/// The fault at byte `position`, in words; `message` is the library's.
std::string fault_at(std::string_view text, std::size_t position, const std::string& message) {
  if (text.empty()) return "unexpected end of input";  // newer versions of the library say it in other words
  const std::size_t last = std::min(position, text.size()) - (position == 0 ? 0 : 1);
  const std::size_t before = last == 0 ? text.npos : text.find_last_not_of(" \t\r\n", last - 1);
  if (last < text.size() && (text[last] == '}' || text[last] == ']') && before != text.npos && text[before] == ',')
    return std::string("a comma stands before ") + text[last];
  if (message.find("surrogate") != message.npos)
    return surrogate_before(text, last) + " is half of a pair of surrogates, and the other half is not beside it";
  if (message.find("number overflow") != message.npos) return "a number is out of range";
  const std::size_t control = message.find("control character U+");
  if (control != message.npos) {
    const char c = text[last];
    const std::string name = message.substr(control, std::string("control character U+0000").size());
    const std::string advice = c == '\n'   ? "write it as \\n"
                               : c == '\t' ? "write it as \\t"
                               : c == '\r' ? "write it as \\r"
                                           : "leave it out";
    return "the " + name + " stands in a string; " + advice;
  }
  // "[json.exception...] parse error at line 1, column 2: syntax error while parsing value - REASON; last read: '...'"
  const std::size_t dash = message.find(" - "), begin = dash == message.npos ? 0 : dash + 3;
  return message.substr(begin, message.find("; last read", begin) - begin);
}

/// Gets the parts of the text one by one, and stores none but the keys of the open objects.
class Checker : public nlohmann::json_sax<json> {
 public:
  Checker(std::string_view text, std::size_t deepest) : text_(text), deepest_(deepest) {}

  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(json::number_integer_t /*value*/) override { return true; }
  bool number_unsigned(json::number_unsigned_t /*value*/) override { return true; }
  bool number_float(json::number_float_t /*value*/, const std::string& /*text*/) override { return true; }
  bool string(std::string& /*value*/) override { return true; }
  bool binary(json::binary_t& /*value*/) override { return true; }
  bool start_object(std::size_t /*size*/) override { return open(); }
  bool start_array(std::size_t /*size*/) override { return open(); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(std::string& name) override {
    if (!keys_.back().insert(name).second) fail(gradus::quoted(name) + " comes twice");
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*token*/, const json::exception& error) override {
    std::string fault = fault_at(text_, position, error.what());
    std::replace(fault.begin(), fault.end(), '\n', ' ');
    fail("not JSON (byte " + std::to_string(position) + "): " + fault);
  }

 private:
  bool open() {
    if (keys_.size() == deepest_) fail("nested too deeply");
    keys_.emplace_back();
    return true;
  }
  bool close() {
    keys_.pop_back();
    return true;
  }

  std::string_view text_;
  std::size_t deepest_;
  std::vector<std::set<std::string>> keys_;  // of each open object or list
};

}  // namespace

void check_json(std::string_view text, std::size_t deepest) {
  Checker checker(text, deepest);
  json::sax_parse(text.begin(), text.end(), &checker);
}

}  // namespace gradus
