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
  const std::string block(65'536, 'x');  // one for all: AddressSanitizer keeps what is freed
  const std::size_t before = peak_memory();
  for (int i = 0; i < 1000 && client.send(block); ++i) {
  }
  CHECK(peak_memory() < before + 20'000'000);
  CHECK(served.client().Get("/after")->status == 200);
}

TEST_CASE("server: a request that cannot become a good one is answered at once, although its rest has not come") {
  HttpLimits limits = patient(seconds(3600));
  limits.bytes = 1000;
  const Served served(limits);
  const std::string first = "POST /echo HTTP/1.1\r\nHost: h\r\n",
                    parts = first + "Transfer-Encoding: chunked\r\n\r\n";
  const std::string tls = std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11) + std::string(500, 'x');
  const std::vector<std::pair<std::string, int>> requests = {
      {tls, 400},
      {std::string("\x05\x01\x00", 3), 400},
      {"PRI * HTTP/2.0\r\n", 505},
      {"BREW / HTTP/1.1\r\n", 501},
      {first + "Content-Length: 5\r\nContent-Length: 5\r\n", 400},
      {first + "Content-Length : 5\r\n", 400},
      {first + "A: b\r\n folded\r\n", 400},
      {first + "Content-Length: +5\r\n", 400},
      {first + "Content-Length: 1001\r\n\r\n", 413},
      {first + "Content-Length: 999999999999999999\r\n\r\n", 413},
      {first + "Content-Length: 99999999999999999999\r\n\r\n", 413},
      {parts + "+5\r\n", 400},
      {parts + "-1", 400},
      {parts + "5x", 400},
      {parts + "0x5", 400},
      {parts + "ffffffffffffffffff", 400},
      {parts + "5;" + std::string(1000, 'x'), 400},
      {parts + "3\r\nabcd", 400},
      {parts + "0\r\nA : b\r\n", 400},
      {parts + "3e9\r\n", 413},
      {parts + "3e8\r\n" + std::string(1000, 'x') + "\r\n1\r\n", 413}};
  for (const auto& [bytes, status] : requests) {
    INFO(bytes);
    const RawClient client(served.port);
    client.send(bytes);
    CHECK(client.hears_within(5000));
    CHECK(client.rest().find("HTTP/1.1 " + std::to_string(status)) == 0);
  }
  for (const char* begun : {"G", "GET / HT", "GET / HTTP/1.1\r\nHost: h\r\n"}) {  // and no more comes
    const RawClient client(served.port);
    client.send(begun);
    client.finish_sending();
    CHECK_THAT(client.rest(), contains("HTTP/1.1 400") && contains("it ends before the empty line"));
  }
  const RawClient nothing(served.port);
  nothing.finish_sending();
  CHECK(nothing.rest().empty());
  const RawClient good(served.port);
  good.send(parts + "3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nA: b\r\n\r\n");
  CHECK_THAT(good.rest(), contains(": abcde"));
}

TEST_CASE("server: a client that sends much more than it may still reads why it is refused") {
  HttpLimits limits;
  limits.bytes = 1000;
  const Served served(limits);
  const RawClient client(served.port);
  client.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 8000000\r\n\r\n");
  for (int i = 0; i < 8; ++i) client.send(std::string(1'000'000, 'x'));
  CHECK(client.rest().find("HTTP/1.1 413") == 0);
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
