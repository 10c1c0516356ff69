// The server itself, with a service that translates nothing: the requests that it reads, and the clients that it
// cuts off.

#include <cstdio>

#include "chapters/11_translator/http_echo.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("server: a request arrives as it was sent, and its answer with the headers of every answer") {
  const Served served;
  const auto got = served.client().Get("/a?x=%C3%A4%20b&y=1&y=2");
  REQUIRE(got);
  CHECK(got->status == 200);
  CHECK(got->body == "GET /a " + served.own() + " 127.0.0.1 x=%C3%A4%20b&y=1&y=2  ");
  const RawClient plus(served.port);
  plus.send(
      "GET /a?x=b+c=d HTTP/1.1\r\nHost: h\r\nOrigin: http://o\r\nsec-fetch-site: same-origin\r\nX-Forwarded-For: "
      "9.9.9.9\r\n"
      "X-Forwarded-Host: evil\r\nForwarded: for=9.9.9.9\r\nREMOTE_ADDR: 9.9.9.9\r\nContent-Length: 1\r\n\r\n1");
  CHECK_THAT(plus.rest(), contains("GET /a h 127.0.0.1 x=b+c=d http://o same-origin with a body"));
  CHECK(got->get_header_value("X-Own") == "yes");
  CHECK(got->get_header_value("Content-Security-Policy").find("default-src 'none'") == 0);
  CHECK(got->get_header_value("X-Content-Type-Options") == "nosniff");
  CHECK(got->get_header_value("Referrer-Policy") == "no-referrer");
  CHECK(got->get_header_value("Cache-Control") == "no-store");
  CHECK(got->get_header_value("Cross-Origin-Resource-Policy") == "same-origin");
  CHECK_FALSE(got->has_header("Access-Control-Allow-Origin"));
  const auto posted = served.client().Post("/echo", "{}", "application/json");
  REQUIRE(posted);
  CHECK(posted->body == "application/json: {}");
  CHECK(served.client().Delete("/b")->body.find("DELETE /b") == 0);
}

TEST_CASE("server: a request that is not HTTP is refused, with the same headers") {
  const Served served;
  for (const std::string& bytes :
       {std::string("nonsense\r\n\r\n"), std::string("GET /") + std::string(20'000, 'a') + " HTTP/1.1\r\n\r\n",
        std::string("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"), std::string("GET / HTTP/1.1\n\n"),
        std::string("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\n")}) {
    const RawClient client(served.port);
    client.send(bytes);
    CHECK(client.hears_within(5000));  // at once, and not when its time is over
    const std::string answer = client.rest();
    INFO(answer);
    CHECK(answer.find("HTTP/1.1 4") == 0);
    CHECK(answer.find("nosniff") != answer.npos);
    CHECK(answer.find("this is not a valid HTTP/1.1 request") != answer.npos);
  }
  CHECK(served.client().Get("/after")->status == 200);
}

TEST_CASE("server: a whole address, a server as the target, and question marks arrive; unknown methods do not") {
  const Served served;
  const auto answer = [&](const std::string& first) {
    const RawClient client(served.port);
    client.send(first + " HTTP/1.1\r\nHost: other\r\n\r\n");
    return client.rest();
  };
  CHECK_THAT(answer("GET http://h:1/a?x=y"), contains("GET /a h:1 127.0.0.1 x=y "));
  CHECK_THAT(answer("GET http://h:1"), contains("GET / h:1 127.0.0.1 "));
  CHECK_THAT(answer("OPTIONS *"), contains("OPTIONS * other 127.0.0.1 "));
  CHECK_THAT(answer("OPTIONS /a"), contains("OPTIONS /a other 127.0.0.1 "));
  CHECK_THAT(answer("GET /a?x=y?z"), contains("GET /a other 127.0.0.1 x=y%3Fz "));
  CHECK(answer("BREW /a").find("HTTP/1.1 501 ") == 0);
  CHECK(answer("CONNECT h:1").find("HTTP/1.1 501 ") == 0);
  CHECK(answer("GET https://h:1/").find("HTTP/1.1 421 ") == 0);
}

TEST_CASE("server: a body has a limit, whether its length is given in advance or not") {
  HttpLimits limits;
  limits.bytes = 1000;
  const Served served(limits);
  const auto status = [&](std::size_t bytes) {
    const auto posted = served.client().Post("/echo", std::string(bytes, 'x'), "text/plain");
    return posted ? posted->status : 0;
  };
  CHECK(status(1000) == 200);
  CHECK(status(1001) == 413);
  const auto chunked = [&](std::size_t bytes) {
    const RawClient client(served.port);
    char size[20];
    std::snprintf(size, sizeof size, "%zx\r\n", bytes);
    client.send("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + std::string(size) +
                std::string(bytes, 'x') + "\r\n0\r\n\r\n");
    return client.rest();
  };
  CHECK(chunked(1000).find("HTTP/1.1 200") == 0);
  CHECK(chunked(1001).find("HTTP/1.1 413") == 0);
}

TEST_CASE("server: a request without a length has no body, and is answered at once") {
  const Served served(patient(milliseconds(20000)));
  for (const char* length : {"", "Content-Length: 0\r\n"}) {
    const RawClient client(served.port);
    client.send("POST /echo HTTP/1.1\r\nHost: x\r\n" + std::string(length) + "\r\n");
    CHECK(client.hears_within(5000));
    CHECK(client.rest().find("HTTP/1.1 200") == 0);
  }
}

TEST_CASE("server: a client that sends too slowly, or nothing, is cut off; an answer may take longer") {
  Served served(patient(milliseconds(300)));
  auto slow_answer = std::async(std::launch::async, [&] { return served.client().Get("/wait"); });
  served.echo.waiting.get_future().wait();
  const RawClient silent(served.port), slow(served.port);
  slow.send("GET / HTTP/1.1\r\n");
  int bytes = 0;
  while (!slow.hears_within(20) && bytes < 3000 && slow.send("x")) ++bytes;  // now and then one
  CHECK(bytes < 3000);
  CHECK(silent.rest().empty());
  const RawClient begun(served.port);
  begun.send("GET / HTTP/1.1\r\nHost: ");
  CHECK_THAT(begun.rest(), contains("408"));
  const RawClient half(served.port);
  half.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf");
  CHECK_THAT(half.rest(), contains("408"));
  served.echo.go.set_value();
  const auto got = slow_answer.get();
  REQUIRE(got);
  CHECK(got->status == 200);
}

TEST_CASE("server: no more connections at a time than it may have; others wait for theirs") {
  HttpLimits limits = patient(seconds(3600));
  limits.connections = 2;
  const Served served(limits);
  auto first = std::make_unique<RawClient>(served.port);
  const RawClient second(served.port), third(served.port);
  third.send("GET /third HTTP/1.1\r\nHost: x\r\n\r\n");
  std::vector<std::unique_ptr<RawClient>> others;
  for (int i = 0; i < 40; ++i) others.push_back(std::make_unique<RawClient>(served.port));  // the system takes them
  CHECK_FALSE(third.hears_within(300));
  CHECK(connections_to(served.port) <= limits.connections + 1);  // the next one is already accepted
  first.reset();
  CHECK(third.rest().find("GET /third") != std::string::npos);
}

TEST_CASE("server: many clients at once each get their own answer") {
  const Served served;
  std::vector<std::future<std::string>> all;
  for (int i = 0; i < 40; ++i) {
    all.push_back(std::async(std::launch::async, [&served, i]() -> std::string {
      const std::string body = "number " + std::to_string(i);
      const auto got = served.client().Post("/echo", body, "text/plain");
      if (!got) return httplib::to_string(got.error());
      return got->body == "text/plain: " + body ? "" : std::to_string(got->status) + " " + got->body;
    }));
  }
  for (auto& one : all) CHECK(one.get().empty());
}

TEST_CASE("server: it ends at once with silent clients, and returns whether an answer takes longer") {
  {
    Served served(patient(seconds(3600)));
    const RawClient silent(served.port), half(served.port);
    half.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc");
    while (connections_to(served.port) < 2) std::this_thread::yield();  // until they are accepted
    CHECK(served.server.stop(seconds(60)));
    CHECK_FALSE(served.client().Get("/"));
  }
  Served served;
  auto answer = std::async(std::launch::async, [&] { return served.client().Get("/wait"); });
  served.echo.waiting.get_future().wait();
  CHECK_FALSE(served.server.stop(milliseconds(1)));
  served.echo.go.set_value();
  const auto got = answer.get();  // which arrived although the server was ending
  REQUIRE(got);
  CHECK(got->status == 200);
}

TEST_CASE("server: a port or an address that cannot be used is an error of one line") {
  const Served served;
  Echo echo;
  const auto output = [&](const std::string& host, int port) {
    HttpServer server(echo, {});
    try {
      server.start(host, port);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(output("127.0.0.1", served.port) == "port " + std::to_string(served.port) +
                                                " of 127.0.0.1 is taken by another program; choose another --port, "
                                                "or 0 for a free one");
  CHECK(output("192.0.2.1", 0).find("is --host an address of this machine?") != std::string::npos);
  CHECK(output("no host", 0).find("is --host an address of this machine?") != std::string::npos);
}
