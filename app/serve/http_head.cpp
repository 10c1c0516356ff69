#include "app/serve/http_head.hpp"

#include <algorithm>
#include <set>

#include "gradus/util/quoted.hpp"

namespace gradus {

namespace {

/// Takes the next line from `rest`, without its end.
std::string take_line(std::string& rest) {
  const std::size_t end = rest.find("\r\n");
  std::string line = rest.substr(0, end);
  rest.erase(0, end == rest.npos ? rest.size() : end + 2);
  const auto is_control = [](char c) { return (c >= 0 && c < 0x20 && c != '\t') || c == 0x7f; };
  if (std::any_of(line.begin(), line.end(), is_control))
    refuse_request("its head has a control character, or a line that does not end with CR LF");
  return line;
}

struct Header {
  std::string name, value;  ///< the name in small letters
};

Header header_of(const std::string& line) {
  const std::size_t colon = line.find(':');
  if (colon == line.npos || !is_token(line.substr(0, colon)))
    refuse_request("the line " + quoted(line) + " is no header");
  const std::size_t begin = line.find_first_not_of(" \t", colon + 1), end = line.find_last_not_of(" \t");
  return {in_small(line.substr(0, colon)), begin == line.npos ? "" : line.substr(begin, end - begin + 1)};
}

void check_value(const Header& header) {
  if (header.name == "host" && !header.value.empty() && !is_authority(header.value))
    refuse_request("its Host header is " + quoted(header.value) + ", and has to be a host, or host:port");
  const bool is_length = header.name == "content-length";
  if (is_length && (header.value.empty() || header.value.find_first_not_of("0123456789") != header.value.npos))
    refuse_request("its Content-Length is " + quoted(header.value) + ", and has to be a number in digits");
  if (is_length && header.value.size() > 18)
    throw HttpError(413, "a body of " + header.value + " bytes is too long");
  if (header.name == "transfer-encoding" && in_small(header.value) != "chunked")
    refuse_request("its Transfer-Encoding is " + quoted(header.value) + ", and has to be chunked");
  if (header.name == "content-encoding" && in_small(header.value) != "identity")
    refuse_request("its body is packed (Content-Encoding " + quoted(header.value) + "), and has to be plain", 415);
}

/// The lines of a head, as they come.
class HeadLines {
 public:
  /// Refuses a line that is wrong by itself or after those before it.
  void take(const std::string& line) {
    if (kept_.empty()) {
      first_ = request_line(line);
      kept_ = first_.text();
      if (!first_.authority.empty()) kept_ += "\r\nHost: " + first_.authority;
      return;
    }
    if (++headers_ > most_headers)
      refuse_request("it has more than " + std::to_string(most_headers) + " headers", 431);
    if (line.size() > most_header_bytes)
      refuse_request("one of its headers has more than " + std::to_string(most_header_bytes) + " bytes", 431);
    const Header header = header_of(line);
    if (comes_once(header.name) && !seen_.insert(header.name).second)
      refuse_request("its header " + quoted(line.substr(0, line.find(':'))) + " comes twice");
    check_value(header);
    if (has("content-length") && has("transfer-encoding"))
      refuse_request("it has both Content-Length and Transfer-Encoding");
    if (has("transfer-encoding") && !is_1_1()) refuse_request("HTTP/1.0 has no Transfer-Encoding");
    const bool is_replaced = header.name == "host" && !first_.authority.empty();
    if (header.name != "range" && header.name != "if-range" && !is_replaced) kept_ += "\r\n" + line;
  }

  /// The end of the head: what is missing. Returns the lines for the library.
  std::string end() const {
    if (!has("host") && is_1_1()) refuse_request("it has no Host header");
    return kept_ + "\r\n\r\n";
  }

 private:
  static bool comes_once(const std::string& name) {
    static const std::set<std::string> once = {"host",   "content-length", "transfer-encoding", "content-type",
                                               "origin", "sec-fetch-site", "content-encoding",  "expect"};
    return once.count(name) != 0;
  }
  bool has(const char* name) const { return seen_.count(name) != 0; }
  bool is_1_1() const { return first_.version == "HTTP/1.1"; }

  RequestLine first_;
  std::string kept_;
  std::set<std::string> seen_;
  std::size_t headers_ = 0;
};

}  // namespace

std::size_t end_of_head(const std::string& text) {
  const std::size_t usual = text.find("\r\n\r\n"), bare = text.find("\n\n");  // the second form is refused
  if (usual == text.npos && bare == text.npos) return 0;
  return usual < bare ? usual + 4 : bare + 2;
}

void check_header(const std::string& line) { header_of(line); }

void check_beginning(const std::string& text) {
  if (text.empty()) return;
  if (text[0] == 0x16)
    refuse_request(
        "it begins as TLS does; this server has none, so the address has to begin with http:, not https:");
  if (!is_token(text.substr(0, 1))) refuse_request("it does not begin with a method such as GET");
  std::string rest = text;
  HeadLines lines;
  while (rest.find("\r\n") != rest.npos) {
    const std::string line = take_line(rest);
    if (line.empty()) return;
    lines.take(line);
  }
  if (!rest.empty() && rest.back() == '\r') rest.pop_back();  // its LF has not come yet
  take_line(rest);
}

std::string checked_head(const std::string& head) {
  std::string rest = head;
  HeadLines lines;
  lines.take(take_line(rest));
  for (std::string line = take_line(rest); !line.empty(); line = take_line(rest)) lines.take(line);
  return lines.end();
}

BodyLength body_length(const std::string& head) {
  std::string rest = head;
  take_line(rest);
  BodyLength length;
  for (std::string line = take_line(rest); !line.empty(); line = take_line(rest)) {
    const Header header = header_of(line);
    if (header.name == "transfer-encoding") length.in_parts = true;
    if (header.name == "content-length") length.bytes = std::stoull(header.value);
  }
  return length;
}

}  // namespace gradus
