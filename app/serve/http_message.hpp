#pragma once
/// \file
/// A request and its answer, independent of the HTTP library.

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gradus/util/error.hpp"

namespace gradus {

/// Headers that the client did not send are empty.
struct HttpRequest {
  std::string method, path;  ///< "GET", "/translate"
  std::string query;         ///< the part of the address after the question mark, as it was sent
  std::string host, origin, fetch_site, content_type;
  std::string client;  ///< numeric address of the other end of the connection, whatever its headers say
  bool has_body = false;
  std::string body;
  /// whether nobody waits for the answer any longer; cheap
  std::function<bool()> is_gone = [] { return false; };
};

struct HttpAnswer {
  int status = 200;
  std::string type, body;                                         ///< media type and content, or neither
  std::vector<std::pair<std::string, std::string>> headers = {};  ///< in addition to those of every answer
};

/// A refused request: the status is for programs, the message for people.
struct HttpError : Error {
  HttpError(int its_status, const std::string& message) : Error(message), status(its_status) {}
  int status;
};

/// Thrown to end the work for a client that is gone.
struct ClientGone : HttpError {
  ClientGone() : HttpError(499, "the client has closed the connection") {}  // nobody reads this
};

/// The functions that answer requests. Several threads call both at the same time; both throw nothing.
class HttpService {
 public:
  virtual ~HttpService() = default;

  /// The answer to a request of which only the head was read; no value if the body is needed too.
  virtual std::optional<HttpAnswer> answer_to_head(const HttpRequest& request) = 0;

  /// The answer to a request for which the first function returned no value; `request` has its body now.
  virtual HttpAnswer answer(const HttpRequest& request) = 0;

  /// The answer to a request that is no valid HTTP or exceeds a limit of the server.
  virtual HttpAnswer refusal(int status, const std::string& why) = 0;
};

}  // namespace gradus
