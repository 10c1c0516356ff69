#include "app/terminal/wrapped.hpp"

#include <algorithm>

namespace gradus {
namespace {

/// Counts code points: every byte except continuation bytes.
std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string wrapped_line(const std::string& line, std::size_t width, std::size_t hanging) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  if (characters(line) <= width) return line;
  std::string text = line.substr(0, indent), word;
  std::size_t column = indent;
  bool first = true;
  for (std::size_t at = indent; at < line.size();) {
    const std::size_t begin = line.find_first_not_of(' ', at), end = std::min(line.find(' ', begin), line.size());
    if (begin == line.npos) break;
    word = line.substr(begin, end - begin);
    const std::size_t gap = first ? 0 : begin - at, length = characters(word);
    if (!first && column + gap + length > width) {
      column = indent + hanging + length;
      text += "\n" + std::string(indent + hanging, ' ') + word;
    } else {
      column += gap + length;
      text += std::string(gap, ' ') + word;
    }
    first = false;
    at = end;
  }
  return text;
}

}  // namespace

std::string wrapped(const std::string& text, std::size_t width, std::size_t hanging) {
  std::string all;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    all += wrapped_line(text.substr(at, end - at), width, hanging);
    if (end < text.size()) all += '\n';
    at = end + 1;
  }
  return all;
}

}  // namespace gradus
