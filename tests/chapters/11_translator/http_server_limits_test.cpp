// Requests that would take memory or time for nothing.

#include "chapters/11_translator/http_echo.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("server: ranges of an answer are neither offered nor given") {
  const Served served;
  for (const std::string method : {"GET", "HEAD"}) {
    for (const std::string& range : {std::string("0-1"), std::string("-1"), std::string("junk"),
                                     std::string("0-1,3-4"), std::string(4000, '-') + ",-"}) {
      const RawClient client(served.port);
      client.send(method + " /a HTTP/1.1\r\nHost: h\r\nRange: bytes=" + range + "\r\nif-range: x\r\n\r\n");
      const std::string answer = client.rest();
      INFO(answer);
      CHECK(answer.find("HTTP/1.1 200 OK\r\n") == 0);
      CHECK(answer.find("Range") == answer.npos);
      if (method == "GET") CHECK_THAT(answer, contains("GET /a h 127.0.0.1"));
    }
  }
}

TEST_CASE("server: a head that is too long, or of too many headers, is refused, and does not stay in memory") {
  const Served served;
  const std::string line = "a:b\r\n";
  const auto answer_to = [&](const std::string& rest) {
    const RawClient client(served.port);
    client.send("GET /a HTTP/1.1\r\nHost: h\r\n" + rest);
    return client.rest().substr(0, 12);
  };
  std::string lines;
  for (int i = 0; i < 99; ++i) lines += line;
  CHECK(answer_to(lines + "\r\n") == "HTTP/1.1 200");
  CHECK(answer_to(lines + line + "\r\n") == "HTTP/1.1 431");
  for (int i = 0; i < 10'000; ++i) lines += line;
  CHECK(answer_to(lines) == "HTTP/1.1 431");  // although no end of it has come
  CHECK(answer_to("a: " + std::string(100'000, 'b')) == "HTTP/1.1 431");

  const std::size_t before = peak_memory();
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 6; ++i) {
    clients.push_back(std::make_unique<RawClient>(served.port));
    clients.back()->send("GET /a HTTP/1.1\r\n");
    for (int k = 0; k < 500 && clients.back()->send(lines); ++k) {
    }
  }
  CHECK(peak_memory() < before + 50'000'000);
}

TEST_CASE("server: a body in parts has a limit too, for the lengths of its parts as well") {
  HttpLimits limits;
  limits.bytes = 1000;
  const Served served(limits);
  const RawClient client(served.port);
  client.send("POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1;");
  const std::size_t before = peak_memory();
  for (int i = 0; i < 1000 && client.send(std::string(65'536, 'x')); ++i) {
  }
  CHECK(peak_memory() < before + 20'000'000);
  CHECK(served.client().Get("/after")->status == 200);
}

TEST_CASE("server: an answer for which there is no memory is a 503, and the server goes on") {
  const Served served;
  CHECK(served.client().Get("/memory")->status == 503);
  CHECK_THAT(served.client().Get("/memory")->body, contains("not enough memory"));
  CHECK(served.client().Get("/after")->status == 200);
}

TEST_CASE("server: work ends when the client is gone, but not when it has only finished sending") {
  Served served;
  {
    const RawClient client(served.port);
    client.send("GET /until-gone HTTP/1.1\r\nHost: h\r\n\r\n");
    while (served.echo.computing == 0) std::this_thread::yield();
  }
  const auto start = std::chrono::steady_clock::now();
  while (served.echo.computing != 0) std::this_thread::yield();
  CHECK(std::chrono::steady_clock::now() - start < seconds(20));
  for (const bool finishes : {false, true}) {
    const RawClient client(served.port);
    client.send("GET /half-a-second HTTP/1.1\r\nHost: h\r\n\r\n");
    if (finishes) client.finish_sending();
    const std::string answer = client.rest();
    CHECK(answer.find("HTTP/1.1 200 OK\r\n") == 0);
    CHECK_THAT(answer, contains("GET /half-a-second h 127.0.0.1"));
  }
  CHECK_FALSE(served.echo.gone_too_early);
}
