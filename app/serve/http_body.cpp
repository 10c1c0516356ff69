#include "app/serve/http_body.hpp"

#include <algorithm>

#include "app/serve/http_head.hpp"

namespace gradus {
namespace {

constexpr std::size_t most_digits = 16, longest_line = 256, most_trailer_bytes = 8192;

bool is_digit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/// The digits at the beginning of the line.
std::size_t digits_in(const std::string& line) {
  return static_cast<std::size_t>(std::find_if_not(line.begin(), line.end(), is_digit) - line.begin());
}

}  // namespace

HttpError too_long_body(std::size_t most) { return {413, "a body may have " + std::to_string(most) + " bytes"}; }

bool BodyInParts::take(std::string_view bytes) {
  while (!bytes.empty() && place_ != Place::end) {
    if (place_ == Place::data) {
      const std::size_t count = std::min(left_, bytes.size());
      body_.append(bytes.substr(0, count));
      bytes.remove_prefix(count);
      left_ -= count;
      if (left_ == 0) place_ = Place::end_of_data;
    } else {
      take_line(bytes.front());
      bytes.remove_prefix(1);
    }
  }
  return place_ == Place::end;
}

/// One byte of a line, whose end is CR LF.
void BodyInParts::take_line(char c) {
  const bool ends = !line_.empty() && line_.back() == '\r';
  if (ends != (c == '\n')) refuse_request("a line of its body in parts does not end with CR LF");
  if (ends) {
    line_.pop_back();
    return end_line();
  }
  if (place_ == Place::end_of_data && c != '\r') refuse_request("a part of its body is longer than its size says");
  if ((c >= 0 && c < 0x20 && c != '\t' && c != '\r') || c == 0x7f)
    refuse_request("its body in parts has a control character between them");
  if (line_.size() == longest_line) refuse_request("a line between the parts of its body is too long");
  line_ += c;
  if (place_ == Place::size) take_size();
}

/// Refuses what can begin no size.
void BodyInParts::take_size() const {
  const std::size_t digits = digits_in(line_);
  const std::string wrong = "the size of a part of its body has to be 1 to 16 hexadecimal digits";
  if (digits == 0 || digits > most_digits) refuse_request(wrong);
  const std::size_t after =
      line_.find_first_not_of(" \t", digits);  // of an extension, which begins with a semicolon
  if (after != line_.npos && line_[after] != ';' && !(line_[after] == '\r' && after == digits))
    refuse_request(wrong);
}

void BodyInParts::end_line() {
  const std::string line = std::move(line_);
  line_.clear();
  if (place_ == Place::end_of_data) {
    place_ = Place::size;
  } else if (place_ == Place::trailer) {
    trailers_ += line.size() + 2;
    if (trailers_ > most_trailer_bytes) refuse_request("too much follows its body");
    if (line.empty()) {
      place_ = Place::end;
    } else {
      check_header(line);
    }
  } else {
    left_ = std::stoull(line.substr(0, digits_in(line)), nullptr, 16);
    begin_part();
  }
}

void BodyInParts::begin_part() {
  if (left_ > most_ - body_.size()) throw too_long_body(most_);
  place_ = left_ == 0 ? Place::trailer : Place::data;
}

}  // namespace gradus
