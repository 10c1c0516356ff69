#pragma once
/// \file
/// A request and its answer, without the library that carries them.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gradus/util/error.hpp"

namespace gradus {

/// Headers that a client did not send are empty.
struct HttpRequest {
  std::string method, path;  ///< "GET", "/translate"
  std::map<std::string, std::string>
      query;  ///< what stands behind the question mark, decoded; of two of a name the first
  std::string host, origin, fetch_site, content_type;
  std::string client;  ///< numeric address of the other end
  std::string body;
};

struct HttpAnswer {
  int status = 200;
  std::string type, body;                                         ///< media type and content
  std::vector<std::pair<std::string, std::string>> headers = {};  ///< beside those of every answer
};

/// A request that is refused: the status says to programs why, the message to people.
struct HttpError : Error {
  HttpError(int its_status, const std::string& message) : Error(message), status(its_status) {}
  int status;
};

/// What answers. Both functions are called by several threads at a time and throw nothing.
class HttpService {
 public:
  virtual ~HttpService() = default;

  /// The answer to a request of which only the head was read; nothing where the body is wanted too.
  virtual std::optional<HttpAnswer> answer_to_head(const HttpRequest& request) = 0;

  /// The answer to a request for which the other one gave nothing; `request` has its body now.
  virtual HttpAnswer answer(const HttpRequest& request) = 0;

  /// The answer to a request that is no HTTP, or goes beyond a limit of the server.
  virtual HttpAnswer refusal(int status, const std::string& why) = 0;
};

}  // namespace gradus
