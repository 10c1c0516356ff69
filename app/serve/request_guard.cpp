#include "app/serve/request_guard.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>

#include "app/serve/http_target.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

/// The host without port and brackets: "[::1]:8080" gives ::1, "LocalHost:8080" gives localhost.
std::string name_in(const std::string& host) {
  if (host.rfind('[', 0) == 0) return in_small(host.substr(1, host.find(']') - 1));
  return in_small(host.substr(0, host.find(':')));
}

bool is_numeric(const std::string& name) {
  in_addr four{};
  in6_addr six{};
  return inet_pton(AF_INET, name.c_str(), &four) == 1 || inet_pton(AF_INET6, name.c_str(), &six) == 1;
}

}  // namespace

bool is_loopback(const std::string& address) {
  in_addr four{};
  const bool is_four = inet_pton(AF_INET, address.c_str(), &four) == 1;
  return in_small(address) == "localhost" || address == "::1" || (is_four && address.rfind("127.", 0) == 0);
}

void require_own_host(const HttpRequest& request, const std::string& bound) {
  const std::string name = name_in(request.host);
  if (name == "localhost" || name == "127.0.0.1" || name == "::1" || name == in_small(bound)) return;
  if ((bound == "0.0.0.0" || bound == "::") && is_numeric(name)) return;
  if (name.empty()) throw HttpError(403, "the request has no Host header, which has to name this server");
  throw HttpError(403, "the request is for " + quoted(request.host) + ", which is not this server; ask " + bound);
}

void require_own_page(const HttpRequest& request) {
  const bool other_site =
      !request.fetch_site.empty() && request.fetch_site != "same-origin" && request.fetch_site != "none";
  const auto at = request.origin.find("://");
  const std::string origin = at == std::string::npos ? request.origin : request.origin.substr(at + 3);
  if (!other_site && (origin.empty() || in_small(origin) == in_small(request.host))) return;
  throw HttpError(403, "a page of another server asks for this; open this server's own page");
}

void require_json_type(const HttpRequest& request) {
  const std::string type = in_small(request.content_type);
  std::size_t end = type.find(';');
  if (trimmed(type.substr(0, end)) != "application/json")
    throw HttpError(415, "a body has to be sent as Content-Type: application/json");
  while (end != type.npos) {  // parameters (RFC 9110, 5.6.6)
    const std::size_t begin = end + 1;
    end = type.find(';', begin);
    const std::string parameter = trimmed(type.substr(begin, end - begin));
    if (parameter.rfind("charset=", 0) == 0 && parameter != "charset=utf-8" && parameter != "charset=\"utf-8\"")
      throw HttpError(415, "a body has to be UTF-8, and not " + quoted(parameter));
  }
}

}  // namespace gradus
