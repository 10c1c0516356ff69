#include "gradus/text/incoming_lines.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "gradus/io/lines.hpp"
#include "gradus/io/utf8.hpp"
#include "gradus/text/packed_file.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

constexpr std::size_t block = std::size_t{1} << 16;

/// C0 except tab, line feed and carriage return; delete; C1.
bool is_control(char32_t point) {
  if (point < 0x20) return point != '\t' && point != '\n' && point != '\r';
  return point >= 0x7f && point < 0xa0;
}

/// Waits for input, `milliseconds` at most (-1: without limit).
bool is_readable(int descriptor, int milliseconds) {
  struct pollfd one {
    descriptor, POLLIN, 0
  };
  return poll(&one, 1, milliseconds) > 0;
}

}  // namespace

std::string line_fault(std::string_view line) {
  std::string fault = fault_of(line);
  for (std::size_t at = 0; fault.empty() && at < line.size();) {
    const CodePoint point = decode_utf8(line.substr(at));
    if (is_control(point.value)) {
      char name[16];
      std::snprintf(name, sizeof name, "U+%04X", static_cast<unsigned>(point.value));
      fault = std::string("the control character ") + name + " (byte " + std::to_string(at + 1) + " of the line)";
    }
    at += point.length;
  }
  return fault;
}

std::vector<std::vector<std::string>> read_sentences(const std::vector<std::string>& paths) {
  auto texts = read_parallel(paths, read_packed_file);
  for (std::size_t i = 0; i < paths.size(); ++i) require_text(texts[i], paths[i] + ", line", line_fault);
  return texts;
}

std::string typed_sentence(std::string_view text, const std::string& name) {
  std::string line = single_line(text, name);
  const std::string fault = line_fault(line);
  if (!fault.empty()) fail(name + ": " + fault);
  return line;
}

IncomingLine typed_line(std::string_view text) {
  std::string line(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  std::string fault = line_fault(line);
  if (!fault.empty()) return {"", std::move(fault)};
  return {typed_sentence(text, "the sentence"), ""};
}

std::vector<IncomingLine> IncomingLines::next(std::size_t most) {
  std::vector<IncomingLine> lines;
  while (lines.size() < most) {
    IncomingLine line;
    if (take(line)) {
      lines.push_back(std::move(line));
    } else if (ended_ || (!lines.empty() && !has_more())) {
      break;
    } else {
      receive();
    }
  }
  return lines;
}

bool IncomingLines::has_more() const { return is_readable(descriptor_, 0); }

/// Reads the input that is there, or waits for it.
void IncomingLines::receive() {
  std::array<char, block> bytes;
  const ssize_t got = read(descriptor_, bytes.data(), bytes.size());
  if (got < 0 && errno == EINTR) return;
  if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
    is_readable(descriptor_, -1);
    return;
  }
  if (got < 0) fail(origin_ + ": cannot be read to its end: " + std::generic_category().message(errno));
  waiting_.erase(0, given_);
  given_ = 0;
  waiting_.append(bytes.data(), static_cast<std::size_t>(got));
  ended_ = got == 0;
  if (at_head_) look_at_head();
}

/// Decides, as soon as enough bytes have arrived, whether the input is packed or begins with a byte order mark.
void IncomingLines::look_at_head() {
  const std::string_view packed = "\x1f\x8b", mark = "\xef\xbb\xbf";
  const auto may_become = [&](std::string_view head) {
    return waiting_.size() < head.size() && head.substr(0, waiting_.size()) == waiting_;
  };
  if (!ended_ && (may_become(packed) || may_become(mark))) return;
  at_head_ = false;
  if (waiting_.compare(0, packed.size(), packed) == 0) unpack();
  if (waiting_.compare(0, mark.size(), mark) == 0) given_ = mark.size();
}

/// Unpacks a packed file as a whole: only its end shows whether it is damaged.
void IncomingLines::unpack() {
  while (!ended_) receive();
  waiting_ = gunzip_text(waiting_, origin_);
}

/// Takes the next whole line of the bytes that have arrived, if there is one.
bool IncomingLines::take(IncomingLine& line) {
  if (at_head_) return false;
  const std::string_view rest = std::string_view(waiting_).substr(given_);
  const std::size_t end = rest.find(returns_end_ ? '\r' : '\n', searched_);
  const bool is_whole = ended_ || rest.size() > longest_line;
  if (end == rest.npos && is_whole && !had_feed_ && !returns_end_ && rest.find('\r') != rest.npos) {
    returns_end_ = true;
    searched_ = 0;
    return take(line);
  }
  had_feed_ = had_feed_ || end != rest.npos;
  if (end == rest.npos && !ended_) {
    searched_ = rest.size();
    if (searched_ <= longest_line) return false;
    too_long_ = true;
    waiting_.clear();
    given_ = searched_ = 0;
    return false;
  }
  if (rest.empty() && !too_long_) return false;
  std::string_view text = rest.substr(0, end);
  given_ += text.size() + (end == rest.npos ? 0 : 1);
  searched_ = 0;
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  const bool was_too_long = std::exchange(too_long_, false);
  line.fault = was_too_long || text.size() > longest_line ? "longer than " + std::to_string(longest_line) + " bytes"
                                                          : line_fault(text);
  const bool is_first = !std::exchange(is_begun_, true);
  if (!line.fault.empty() && !has_hint_) {
    const std::string hint = is_first ? hint_at_format(text) : hint_at_latin_1(text);
    line.fault += hint;
    has_hint_ = !hint.empty();
  }
  if (line.fault.empty()) line.text = text;
  return true;
}

}  // namespace gradus
