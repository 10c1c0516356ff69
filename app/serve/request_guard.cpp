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

/// The bytes of a numeric address; empty for a name.
std::string address_bytes(const std::string& name) {
  std::string four(sizeof(in_addr), '\0'), six(sizeof(in6_addr), '\0');
  if (inet_pton(AF_INET, name.c_str(), four.data()) == 1) return four;
  return inet_pton(AF_INET6, name.c_str(), six.data()) == 1 ? six : "";
}

/// A name in small letters, without the full stop of its root ("localhost.").
std::string plain_name(const std::string& name) {
  return in_small(name.substr(0, name.size() - (!name.empty() && name.back() == '.' ? 1 : 0)));
}

/// The host without port and brackets: "[::1]:8080" gives ::1, "LocalHost.:8080" gives localhost.
std::string name_in(const std::string& host) {
  if (host.rfind('[', 0) == 0) return in_small(host.substr(1, host.find(']') - 1));
  return plain_name(host.substr(0, host.find(':')));
}

/// Whether two names or addresses are one: 0:0:0:0:0:0:0:1 is ::1.
bool is_same(const std::string& name, const std::string& other) {
  const std::string bytes = address_bytes(name);
  return bytes.empty() ? name == plain_name(other) : bytes == address_bytes(other);
}

}  // namespace

bool is_loopback(const std::string& address) {
  const std::string bytes = address_bytes(address);
  return is_same("localhost", address) || is_same("::1", address) ||
         (bytes.size() == sizeof(in_addr) && bytes[0] == 127);
}

void require_own_host(const HttpRequest& request, const std::string& bound) {
  const std::string name = name_in(request.host);
  for (const std::string& own : {std::string("localhost"), std::string("127.0.0.1"), std::string("::1"), bound}) {
    if (is_same(name, own)) return;
  }
  if ((bound == "0.0.0.0" || bound == "::") && !address_bytes(name).empty()) return;
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
