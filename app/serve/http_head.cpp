#include "app/serve/http_head.hpp"

#include <algorithm>
#include <set>

#include "gradus/util/quoted.hpp"

namespace gradus {

void refuse_request(const std::string& why, int status) {
  throw HttpError(status, "this is not a valid HTTP/1.1 request: " + why);
}

namespace {

std::string in_small(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

/// The characters of a method and of a header's name (RFC 9110, 5.6.2).
bool is_token(const std::string& text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string("!#$%&'*+-.^_`|~").find(c) != std::string::npos;
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), fits);
}

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

void check_first_line(const std::string& line) {
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  if (first == line.npos || !is_token(line.substr(0, first)))
    refuse_request("it does not begin with a method such as GET");
  const std::string target = line.substr(first + 1, last - first - 1), version = line.substr(last + 1);
  if (last == first || (version != "HTTP/1.1" && version != "HTTP/1.0"))
    refuse_request("its first line does not end with HTTP/1.1");
  if (target.size() > most_target_bytes)
    refuse_request("its address has more than " + std::to_string(most_target_bytes) + " bytes", 414);
  if (target.empty() || target[0] != '/' || target.find_first_of(" \t#") != target.npos)
    refuse_request("its address has to be a path such as /translate, without spaces and without #");
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

void check_length(const Header& header) {
  if (header.name == "content-length" && (header.value.empty() || header.value.size() > 18 ||
                                          header.value.find_first_not_of("0123456789") != header.value.npos))
    refuse_request("its Content-Length is " + quoted(header.value) + ", and has to be a number in digits");
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
    if (first_.empty()) {
      check_first_line(line);
      first_ = kept_ = line;
      return;
    }
    if (++headers_ > most_headers)
      refuse_request("it has more than " + std::to_string(most_headers) + " headers", 431);
    const Header header = header_of(line);
    if (comes_once(header.name) && !seen_.insert(header.name).second)
      refuse_request("its header " + quoted(line.substr(0, line.find(':'))) + " comes twice");
    check_length(header);
    if (has("content-length") && has("transfer-encoding"))
      refuse_request("it has both Content-Length and Transfer-Encoding");
    if (has("transfer-encoding") && !is_1_1()) refuse_request("HTTP/1.0 has no Transfer-Encoding");
    if (header.name != "range" && header.name != "if-range") kept_ += "\r\n" + line;
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
  bool is_1_1() const { return first_.substr(first_.rfind(' ') + 1) == "HTTP/1.1"; }

  std::string first_, kept_;
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
