// The parts of `gradus serve`, without a socket and without a model.

#include <future>

#include "app/serve/compute_turns.hpp"
#include "app/serve/page_files.hpp"
#include "app/serve/rate_limit.hpp"
#include "app/serve/request_guard.hpp"
#include "chapters/11_translator/program.hpp"
#include "http_status.hpp"

using namespace gradus;
using namespace gradus::test;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

HttpRequest from_host(const std::string& host) {
  HttpRequest request;
  request.host = host;
  return request;
}

}  // namespace

TEST_CASE("serve: a client may ask a minute's requests at once, then as they come back") {
  RateLimit limit(6);
  const auto start = RateLimit::Clock::now();
  for (int i = 0; i < 6; ++i) CHECK(limit.wait_of("a", start) == 0);
  CHECK(limit.wait_of("a", start) == 10);
  CHECK(limit.wait_of("b", start) == 0);
  CHECK(limit.wait_of("a", start + seconds(7)) == 3);
  CHECK(limit.wait_of("a", start + milliseconds(10'001)) == 0);
  CHECK(limit.wait_of("a", start + milliseconds(10'002)) == 10);
  for (int i = 0; i < 6; ++i) CHECK(limit.wait_of("a", start + seconds(3600)) == 0);  // never more than a minute's
  CHECK(limit.wait_of("a", start + seconds(3600)) == 10);
}

TEST_CASE("serve: many client names do not fill the memory, and known clients are still served") {
  RateLimit limit(2, 3);
  const auto start = RateLimit::Clock::now();
  for (const char* name : {"a", "b", "c"}) CHECK(limit.wait_of(name, start) == 0);
  CHECK(limit.wait_of("d", start) == 60);
  CHECK(limit.wait_of("a", start) == 0);
  CHECK(limit.wait_of("d", start + seconds(31)) == 0);  // b and c are forgotten
  CHECK(limit.wait_of("a", start + seconds(31)) == 0);
}

TEST_CASE("serve: requests of an IPv6 network count together, of IPv4 each address for itself") {
  CHECK(client_of("2001:db8:1:2::3") == client_of("2001:db8:1:2:ffff::4"));
  CHECK(client_of("2001:db8:1:2::3") != client_of("2001:db8:1:3::3"));
  CHECK(client_of("10.0.0.1") != client_of("10.0.0.2"));
  CHECK(client_of("::ffff:10.0.0.1") != client_of("::ffff:10.0.0.2"));
}

TEST_CASE("serve: some requests are computed, some wait, others are refused") {
  ComputeTurns turns(1, 1);
  std::shared_ptr<void> first = turns.take();
  REQUIRE(first != nullptr);
  auto second = std::async(std::launch::async, [&] { return turns.take(); });
  while (turns.free().second != 0) std::this_thread::yield();
  CHECK(turns.take() == nullptr);
  first.reset();
  CHECK(second.get() != nullptr);
  CHECK(turns.free() == std::make_pair<std::size_t, std::size_t>(1, 1));
}

TEST_CASE("serve: who waits for a turn is given up when the client is gone") {
  ComputeTurns turns(1, 2);
  std::shared_ptr<void> first = turns.take();
  CHECK(turns.take([] { return true; }) == nullptr);
  CHECK(turns.free() == std::make_pair<std::size_t, std::size_t>(0, 2));
  first.reset();
  CHECK(turns.take([] { return true; }) == nullptr);
  CHECK(turns.free() == std::make_pair<std::size_t, std::size_t>(1, 2));
  CHECK(turns.take() != nullptr);
}

TEST_CASE("serve: only a Host header of this server is answered") {
  const auto status = [](const std::string& host, const std::string& bound) {
    return status_of([&] { require_own_host(from_host(host), bound); });
  };
  for (const char* host : {"localhost", "LocalHost:8080", "127.0.0.1:8080", "[::1]:80", "[::1]"})
    CHECK(status(host, "127.0.0.1") == 200);
  for (const char* host : {"localhost.", "LOCALHOST.:8080", "[0:0:0:0:0:0:0:1]:8080"})
    CHECK(status(host, "127.0.0.1") == 200);
  for (const char* host :
       {"localhost..", ".", "evil.localhost.example.", "[::1", "[::1]evil", "[", "127.1", "0x7f.0.0.1"})
    CHECK(status(host, "192.168.1.5") == 403);
  CHECK(status("box.:8080", "box") == 200);
  CHECK(status("box:8080", "Box.") == 200);
  CHECK(status("[2001:db8:0::1]:8080", "2001:DB8::1") == 200);
  CHECK(status("[2001:db8::2]:8080", "2001:db8::1") == 403);
  for (const char* host : {"", "evil.example", "evil.example:8080", "localhost.evil.example",
                           "127.0.0.1.evil.example", "192.168.1.5", "0.0.0.0", "[::2]"})
    CHECK(status(host, "127.0.0.1") == 403);
  CHECK(status("192.168.1.5:8080", "192.168.1.5") == 200);
  CHECK(status("192.168.1.6:8080", "192.168.1.5") == 403);
  CHECK(status("Box:8080", "box") == 200);
  for (const char* every : {"0.0.0.0", "::"}) {
    CHECK(status("192.168.1.5:8080", every) == 200);
    CHECK(status("[2001:db8::1]:8080", every) == 200);
    CHECK(status("evil.example", every) == 403);
  }
  for (const char* own : {"127.0.0.1", "127.8.9.1", "localhost", "::1", "localhost.", "0::1"})
    CHECK(is_loopback(own));
  for (const char* other : {"0.0.0.0", "::", "192.168.1.5", "127.evil.example", "box"})
    CHECK_FALSE(is_loopback(other));
}

TEST_CASE("serve: another page may not ask, and no form can") {
  const auto status = [](const std::string& origin, const std::string& site) {
    HttpRequest request = from_host("localhost:8080");
    request.origin = origin, request.fetch_site = site;
    return status_of([&] { require_own_page(request); });
  };
  CHECK(status("", "") == 200);
  CHECK(status("http://localhost:8080", "same-origin") == 200);
  CHECK(status("", "none") == 200);
  CHECK(status("http://evil.example", "") == 403);
  CHECK(status("http://localhost:9090", "") == 403);
  CHECK(status("null", "") == 403);
  CHECK(status("", "cross-site") == 403);
  CHECK(status("", "same-site") == 403);
  const auto type = [](const std::string& text) {
    HttpRequest request;
    request.content_type = text;
    return status_of([&] { require_json_type(request); });
  };
  for (const char* json : {"application/json", "Application/JSON; charset=utf-8", "application/json ;x",
                           "application/json;Charset=\"UTF-8\"", "application/json; a=b; charset=UTF-8 ; c"})
    CHECK(type(json) == 200);
  for (const char* other :
       {"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; x=application/json",
        "application/json; charset=latin1", "application/json;charset=\"utf-16\"",
        "application/json; charset=", "application/json; a=b; CHARSET=iso-8859-1",
        "application/json; charset=utf-8; charset=latin1", "application/ json", "text/plain; charset=utf-8"})
    CHECK(type(other) == 415);
}

TEST_CASE("serve: the page's files are built in, and name no other server") {
  for (const char* path :
       {"/", "/page.css", "/page.mjs", "/element.mjs", "/sentence.mjs", "/words.mjs", "/heat_map.mjs"}) {
    INFO(path);
    REQUIRE(page_file(path) != nullptr);
    std::string text = page_file(path)->text;
    const std::string namespace_name = "http://www.w3.org/2000/svg";  // of the icon; nobody fetches it
    if (const auto at = text.find(namespace_name); at != text.npos) text.erase(at, namespace_name.size());
    CHECK(text.size() > 200);
    CHECK(text.find("://") == text.npos);
    CHECK(text.find("innerHTML") == text.npos);
    if (path == std::string("/")) continue;
    CHECK(text.find(read_file(std::string(GRADUS_CHAPTERS) + "/../app/serve/page" + path)) != text.npos);
  }
  CHECK(page_file("/page.css")
            ->text.find(read_file(std::string(GRADUS_CHAPTERS) + "/../app/serve/page/answer.css")) !=
        std::string::npos);
  for (const char* path : {"", "/page.html", "/../page.mjs", "/page.mjs/", "page.mjs"})
    CHECK(page_file(path) == nullptr);
}
