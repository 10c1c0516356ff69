// The heads of requests, without a socket.

#include "app/serve/http_head.hpp"

#include "http_status.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("serve: the head of a request is passed on as it is, without ranges") {
  const std::string head =
      "POST /translate?x=%20y HTTP/1.1\r\nHost: h\r\nContent-Length: 12\r\ncontent-type:application/json; "
      "x\r\nA:\r\nA: \t b\r\n\r\n";
  CHECK(checked_head(head) == head);
  CHECK(body_length(head).bytes == 12);
  CHECK_FALSE(body_length(head).in_parts);
  CHECK(checked_head("GET / HTTP/1.1\r\nrAnge: bytes=0-\r\nHost: h\r\nIf-Range: x\r\n\r\n") ==
        "GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  CHECK_FALSE(body_length("GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 00\r\n\r\n").is_there());
  CHECK_FALSE(body_length("GET / HTTP/1.1\r\nHost: h\r\n\r\n").is_there());
  const BodyLength parts = body_length("GET / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n");
  CHECK((parts.in_parts && parts.is_there()));
  CHECK_NOTHROW(checked_head("GET / HTTP/1.0\r\n\r\n"));
  CHECK_NOTHROW(checked_head("GET /\xc3\xa4 HTTP/1.1\r\nHost: h\r\n\r\n"));
  CHECK(end_of_head("GET / HTTP/1.1\r\n\r\nbody") == 18);
  CHECK(end_of_head("GET / HTTP/1.1\r\nHost: h\r\n") == 0);
  CHECK(end_of_head("GET / HTTP/1.1\n\nbody\r\n\r\n") == 16);
}

TEST_CASE("serve: a head that two programs could read in two ways is refused") {
  const auto status = [](const std::string& head) { return status_of([&] { checked_head(head); }); };
  const auto with = [&](const std::string& headers) {
    return status("POST / HTTP/1.1\r\nHost: h\r\n" + headers + "\r\n\r\n");
  };
  REQUIRE(with("Content-Length: 5") == 200);
  for (const char* length : {"+5", "-5", "5 5", "5,5", "0x5", "5.0", "", "1e3", "\xd9\xa5"})
    CHECK(with("Content-Length: " + std::string(length)) == 400);
  CHECK(with("Content-Length: 9999999999999999999") == 413);  // of 64 bits
  CHECK(with("Content-Length: " + std::string(400, '9')) == 413);
  for (const char* twice :
       {"Host: h", "host: other", "Content-Length: 5\r\nContent-Length: 5", "Content-Type: a\r\ncontent-type: b",
        "Origin: a\r\nOrigin: a", "Sec-Fetch-Site: none\r\nSec-Fetch-Site: none", "Expect: a\r\nExpect: a",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "Content-Length: 5\r\nTransfer-Encoding: chunked"})
    CHECK(with(twice) == 400);
  for (const char* coding : {"gzip", "chunked, gzip", "xchunked", ""})
    CHECK(with("Transfer-Encoding: " + std::string(coding)) == 400);
  for (const char* bad :
       {"no colon", " folded: x", "A: b\r\n folded", "a b: c", ": c", "A : b", "A: \x01", "A: b\rc", "A: b\nC: d"})
    CHECK(with(bad) == 400);
  CHECK(with("A: b" + std::string(1, '\0')) == 400);
  CHECK(with("Content-Encoding: gzip") == 415);
  for (const char* first :
       {"", "GET", "GET /", "GET  HTTP/1.1", "GET / HTTP/2", "GET / HTTP/1.1 ", "GET / x HTTP/1.1",
        "GET x HTTP/1.1", "G(T / HTTP/1.1", "GET /#x HTTP/1.1", " GET / HTTP/1.1", "GET / http/1.1"})
    CHECK(status(std::string(first) + "\r\nHost: h\r\n\r\n") == 400);
  CHECK(status("GET / HTTP/1.1\r\n\r\n") == 400);
  CHECK(status("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n") == 400);
  CHECK(status("GET /" + std::string(8000, 'a') + " HTTP/1.1\r\nHost: h\r\n\r\n") == 414);
  std::string many;
  for (int i = 0; i < 99; ++i) many += "A: b\r\n";
  CHECK(with(many + "A: b") == 431);
  CHECK(with("A: " + std::string(7997, 'b')) == 200);
  CHECK(with("A: " + std::string(7998, 'b')) == 431);
}

TEST_CASE("serve: a target may be a whole address, whose authority counts in place of the Host header") {
  const auto passed = [](const std::string& first, const std::string& host = "Host: other\r\n") {
    return checked_head(first + "\r\n" + host + "A: b\r\n\r\n");
  };
  const std::string own = "Host: h:8080\r\nA: b\r\n\r\n";
  CHECK(passed("GET http://h:8080/a?b=c HTTP/1.1") == "GET /a?b=c HTTP/1.1\r\n" + own);
  CHECK(passed("POST HTTP://h:8080/a/ HTTP/1.1") == "POST /a/ HTTP/1.1\r\n" + own);
  CHECK(passed("GET http://h:8080 HTTP/1.1") == "GET / HTTP/1.1\r\n" + own);
  CHECK(passed("GET http://h:8080?a=http://i/ HTTP/1.1") == "GET /?a=http://i/ HTTP/1.1\r\n" + own);
  CHECK(passed("GET /a?b?c??d=%3f HTTP/1.1", "Host: h:8080\r\n") == "GET /a?b%3Fc%3F%3Fd=%3f HTTP/1.1\r\n" + own);
  CHECK(passed("GET http://h:8080/a HTTP/1.0", "") == "GET /a HTTP/1.0\r\n" + own);
  CHECK(passed("OPTIONS http://h:8080 HTTP/1.1") == "OPTIONS * HTTP/1.1\r\n" + own);
  CHECK(passed("OPTIONS * HTTP/1.1", "Host: h:8080\r\n") == "OPTIONS * HTTP/1.1\r\n" + own);
  CHECK(passed("GET /http://i/ HTTP/1.1", "Host: h:8080\r\n") == "GET /http://i/ HTTP/1.1\r\n" + own);
  for (const char* host : {"localhost", "[::1]", "[::1]:80", "h:", "127.0.0.1:1", "a-b_c.example:65535"})
    CHECK_NOTHROW(passed("GET http://" + std::string(host) + "/ HTTP/1.1", "Host: " + std::string(host) + "\r\n"));
  CHECK_NOTHROW(passed("GET / HTTP/1.1", "Host:\r\n"));
}

TEST_CASE("serve: targets, hosts, methods and versions that the server cannot serve are refused by their kind") {
  const auto status = [](const std::string& first, const std::string& host = "h") {
    return status_of([&] { checked_head(first + "\r\nHost: " + host + "\r\n\r\n"); });
  };
  for (const char* other : {"https://h/", "ftp://h/", "x://h", "*://h/"})
    CHECK(status("GET " + std::string(other) + " HTTP/1.1") == 421);
  for (const char* bad : {"http:///a", "http://", "http://?a", "http://u@h/", "http://u:p@h/", "http://h:x/",
                          "http://h:1:2/", "http://[::1/", "http://[]/", "http://[::1]x/", "http://h/#a",
                          "http://h\\i/", "://h/", "h:80", "*", "**", "http:/h", "http:h", "?a=b"})
    CHECK(status("GET " + std::string(bad) + " HTTP/1.1") == 400);
  for (const char* bad : {"u@h", "h:x", "h/i", "h h", "[::1", "h:1:2", "h,i:80 ,j", "http://h", "\xc3\xa4"})
    CHECK(status("GET / HTTP/1.1", bad) == 400);
  for (const char* unknown : {"BREW", "get", "Get", "CONNECT", "PROPFIND"})
    CHECK(status(std::string(unknown) + " / HTTP/1.1") == 501);
  CHECK(status("CONNECT h:80 HTTP/1.1") == 501);
  for (const char* known : {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"})
    CHECK(status(std::string(known) + " / HTTP/1.1") == 200);
  for (const char* version : {"HTTP/2.0", "HTTP/0.9", "HTTP/1.2", "HTTP/3.0"})
    CHECK(status("GET / " + std::string(version)) == 505);
  CHECK(status("PRI * HTTP/2.0") == 505);
  for (const char* version : {"HTTP/1", "HTTP/1.10", "HTTP/11.0", "HTTP/1,1", "HTTPS/1.1"})
    CHECK(status("GET / " + std::string(version)) == 400);
}

TEST_CASE("serve: the beginning of a head is refused at its first faulty line or byte, and a good one is not") {
  const auto status = [](const std::string& text) { return status_of([&] { check_beginning(text); }); };
  const std::string good =
      "POST /translate HTTP/1.1\r\nHost: h\r\nContent-Length: 12\r\nContent-Type: application/json\r\n\r\n{\x01";
  for (std::size_t size = 0; size <= good.size(); ++size) CHECK(status(good.substr(0, size)) == 200);
  const std::string tls("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11),
      first = "POST / HTTP/1.1\r\nHost: h\r\n";
  for (const std::string& bad :
       {tls, tls.substr(0, 1), std::string("\x05\x01"), std::string(1, '\0'), std::string("\xff"),
        std::string("GET / HTTP/1.1\n"), std::string("nonsense\r\n"), first + "Content-Length: -5\r\n",
        first + "Content-Length: 5\r\nContent-Length: 5\r\n", first + "Host: h\r\n", first + "A : b\r\n",
        first + "A: b\r\n folded\r\n", first + "A: b\x02", first + "A: b\rc",
        first + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"})
    CHECK(status(bad) == 400);
  std::string many = first;
  for (int i = 0; i < 100; ++i) many += "A: b\r\n";
  CHECK(status(many) == 431);
  try {
    check_beginning(tls);
  } catch (const HttpError& error) {
    CHECK_THAT(std::string(error.what()), contains("http:, not https:"));
  }
}
