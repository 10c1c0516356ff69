#pragma once
/// \file
/// The head of a request: its first line and its headers. cpp-httplib accepts nearly everything there, takes the first of two
/// equal headers, and stores as many as arrive. So the bytes are checked here before the library reads them.

#include <cstddef>
#include <string>

#include "app/serve/http_message.hpp"

namespace gradus {

constexpr std::size_t most_head_bytes = 32768, most_target_bytes = 8000, most_headers = 100;

/// The bytes from `text` up to the end of the head, which is an empty line; 0 if it has not arrived yet.
std::size_t end_of_head(const std::string& text);

/// The head for the library: the same without the headers that it must not act on (Range, If-Range). Throws HttpError, with
/// what is wrong: 400 unless it is RFC 9112's HTTP/1.0 or 1.1 with whole lines, one Host header (in 1.1), at most one of each header
/// that decides something, and at most one length of a body, in digits; 414 or 431 beyond the limits above.
std::string checked_head(const std::string& head);

/// Whether a body follows the head.
bool announces_body(const std::string& head);

}  // namespace gradus
