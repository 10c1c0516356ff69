#pragma once
/// \file
/// The first line of a request.

#include <cstddef>
#include <string>

namespace gradus {

constexpr std::size_t most_target_bytes = 8000;

struct RequestLine {
  std::string method;     ///< "GET"
  std::string target;     ///< a path with its query, "/translate?text=a"; "*" of OPTIONS
  std::string version;    ///< "HTTP/1.0" or "HTTP/1.1"
  std::string authority;  ///< host and port, if the line itself has them: they count in place of the Host header

  std::string text() const { return method + ' ' + target + ' ' + version; }
};

/// Reads the line, without its end. Its target is a path, or a whole address, or "*" of OPTIONS (RFC 9112, 3.2); of an
/// address only its path and its query are left in `target`. The library splits a target at each question mark, so those
/// of the query become %3F. Throws HttpError, with what is wrong: 400; 414 for a target that is too long, 421 for an
/// address that does not begin with http:, 501 for a method that no path has, 505 for another version.
RequestLine request_line(const std::string& line);

/// Whether `text` is a host, or a host with a port: "localhost:8080", "[::1]".
bool is_authority(const std::string& text);

/// The characters of a method and of a header's name (RFC 9110, 5.6.2).
bool is_token(const std::string& text);

/// Text with its ASCII letters in lower case, in every locale.
std::string in_small(std::string text);

/// Throws an HttpError with what is wrong.
[[noreturn]] void refuse_request(const std::string& why, int status = 400);

}  // namespace gradus
