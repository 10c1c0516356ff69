#pragma once
/// \file
/// A body in parts (Transfer-Encoding: chunked), decoded as its bytes arrive. cpp-httplib reads a size with a sign, ignores what
/// follows it, stores an extension of any length, and reads a body that is too long to its end.

#include <cstddef>
#include <string>
#include <string_view>

#include "app/serve/http_message.hpp"

namespace gradus {

/// The refusal of a body with more than `most` bytes.
HttpError too_long_body(std::size_t most);

class BodyInParts {
 public:
  explicit BodyInParts(std::size_t most) : most_(most) {}

  /// Takes the next bytes. Returns whether the body is complete; what follows it is ignored. Throws HttpError at the first byte that is
  /// wrong: 400 unless these are RFC 9112's parts, each with a size in at most 16 hexadecimal digits, with short lines; 413 as soon
  /// as the body would have more than `most` bytes.
  bool take(std::string_view bytes);

  const std::string& body() const { return body_; }  ///< what has arrived of it

 private:
  enum class Place { size, data, end_of_data, trailer, end };

  void take_line(char c);
  void end_line();
  void take_size() const;
  void begin_part();

  std::size_t most_, left_ = 0,
                     trailers_ = 0;  // left_: of this part; trailers_: bytes of the lines behind the last part
  Place place_ = Place::size;
  std::string line_, body_;
};

}  // namespace gradus
