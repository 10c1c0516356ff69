#pragma once
/// \file
/// The head of a request: its first line and its headers. cpp-httplib accepts nearly everything there, takes the first of two
/// equal headers, and stores as many as arrive. So the bytes are checked here before the library reads them.

#include <cstddef>
#include <string>

#include "app/serve/http_message.hpp"
#include "app/serve/http_target.hpp"

namespace gradus {

constexpr std::size_t most_head_bytes = 32768, most_headers = 100, most_header_bytes = 8000;

/// The bytes from `text` up to the end of the head, which is an empty line; 0 if it has not arrived yet.
std::size_t end_of_head(const std::string& text);

/// The head for the library: the same without the headers that it must not act on (Range, If-Range). If the first line has a whole
/// address, only its path is left there, and the Host header has its authority. Throws HttpError, with what is wrong: that of
/// request_line(); 400 unless it is RFC 9112's HTTP/1.0 or 1.1 with whole lines, one Host header (in 1.1), at most one of each header
/// that decides something, and at most one length of a body, in digits (in parts: 1.1 only); 431 beyond the limits above.
std::string checked_head(const std::string& head);

/// Refuses the beginning of a head, as checked_head would: at its first faulty line or byte, so that nobody waits for the rest.
/// A client that begins TLS is told to use http.
void check_beginning(const std::string& text);

/// Refuses a line that is no header: `name: value`.
void check_header(const std::string& line);

/// What a good head says of the body that follows it.
struct BodyLength {
  bool in_parts = false;  ///< Transfer-Encoding: chunked
  std::size_t bytes = 0;  ///< else
  bool is_there() const { return in_parts || bytes != 0; }
};
BodyLength body_length(const std::string& head);

}  // namespace gradus
