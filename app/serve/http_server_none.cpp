#include "app/serve/http_server.hpp"

namespace gradus {

struct HttpServer::State {};

HttpServer::HttpServer(HttpService& /*service*/, const HttpLimits& /*limits*/) {
  fail("this program was built without cpp-httplib; install it (Debian: libcpp-httplib-dev) and build again");
}
HttpServer::~HttpServer() = default;

int HttpServer::start(const std::string& /*host*/, int /*port*/) { return 0; }
bool HttpServer::stop(std::chrono::milliseconds /*grace*/) { return true; }

}  // namespace gradus
