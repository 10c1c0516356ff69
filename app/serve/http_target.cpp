#include "app/serve/http_target.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "app/serve/http_message.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool are_of(const std::string& text, std::string_view marks) {
  return std::all_of(text.begin(), text.end(),
                     [marks](char c) { return is_letter_or_digit(c) || marks.find(c) != std::string_view::npos; });
}

bool are_digits(const std::string& text) { return text.find_first_not_of("0123456789") == text.npos; }

/// The methods that servers have for paths (RFC 9110, RFC 5789). CONNECT is for proxies.
void check_method(const std::string& method) {
  static const std::set<std::string> known = {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"};
  if (known.count(method) == 0) throw HttpError(501, "this server has no method " + quoted(method));
}

void check_version(const std::string& version) {
  if (version == "HTTP/1.1" || version == "HTTP/1.0") return;
  const bool is_other = version.size() == 8 && version.compare(0, 5, "HTTP/") == 0 && version[6] == '.' &&
                        are_digits(version.substr(5, 1) + version[7]);
  if (is_other) throw HttpError(505, "this server speaks HTTP/1.1, not " + version);
  refuse_request("its first line does not end with HTTP/1.1");
}

/// Moves the scheme and the authority of an address out of its target (RFC 9112, 3.2.2).
void take_authority(RequestLine& line) {
  const std::size_t colon = line.target.find("://");
  const std::size_t begin = colon + 3, end = std::min(line.target.find_first_of("/?", begin), line.target.size());
  if (in_small(line.target.substr(0, colon)) != "http")
    throw HttpError(421, "this server answers addresses that begin with http:, not " +
                             quoted(line.target.substr(0, colon + 1)));
  line.authority = line.target.substr(begin, end - begin);
  if (!is_authority(line.authority))
    refuse_request("in its address, " + gradus::quoted(line.authority) + " is no host, or host:port");
  line.target.erase(0, end);
  const bool is_bare = line.target.empty() && line.method == "OPTIONS";
  if (line.target.empty() || line.target[0] == '?') line.target.insert(0, is_bare ? "*" : "/");
}

}  // namespace

void refuse_request(const std::string& why, int status) {
  throw HttpError(status, "this is not a valid HTTP/1.1 request: " + why);
}

std::string in_small(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

bool is_token(const std::string& text) { return !text.empty() && are_of(text, "!#$%&'*+-.^_`|~"); }

bool is_authority(const std::string& text) {
  const bool in_brackets = text.rfind('[', 0) == 0;
  const std::size_t end = in_brackets ? text.find(']') : std::min(text.find(':'), text.size());
  if (end == text.npos) return false;
  const std::string host = in_brackets ? text.substr(1, end - 1) : text.substr(0, end);
  const std::string port = text.substr(in_brackets ? end + 1 : end);
  constexpr std::string_view marks =
      "-._~%!$&'()*+,;=:";  // the last one in brackets only: before it, the host ends
  return !host.empty() && are_of(host, marks) && (port.empty() || (port[0] == ':' && are_digits(port.substr(1))));
}

RequestLine request_line(const std::string& line) {
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  if (first == line.npos || !is_token(line.substr(0, first)))
    refuse_request("it does not begin with a method such as GET");
  if (last == first) refuse_request("its first line does not end with HTTP/1.1");
  RequestLine read{line.substr(0, first), line.substr(first + 1, last - first - 1), line.substr(last + 1), ""};
  check_version(read.version);
  check_method(read.method);
  if (read.target.size() > most_target_bytes)
    refuse_request("its address has more than " + std::to_string(most_target_bytes) + " bytes", 414);
  const std::size_t scheme_end = read.target.find("://");
  if (scheme_end != read.target.npos && is_token(read.target.substr(0, scheme_end))) take_authority(read);
  const bool is_path = read.target[0] == '/' || (read.target == "*" && read.method == "OPTIONS");
  if (!is_path || read.target.find_first_of(" \t#") != read.target.npos)
    refuse_request("its address has to be a path such as /translate, without spaces and without #");
  for (std::size_t at = read.target.find('?'); (at = read.target.find('?', at + 1)) != read.target.npos;)
    read.target.replace(at, 1, "%3F");
  return read;
}

}  // namespace gradus
