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
  CHECK(announces_body(head));
  CHECK(checked_head("GET / HTTP/1.1\r\nrAnge: bytes=0-\r\nHost: h\r\nIf-Range: x\r\n\r\n") ==
        "GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  CHECK_FALSE(announces_body("GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 00\r\n\r\n"));
  CHECK(announces_body("GET / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n"));
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
  for (const char* length : {"+5", "-5", "5 5", "5,5", "0x5", "5.0", "", "1e3", "\xd9\xa5", "9999999999999999999"})
    CHECK(with("Content-Length: " + std::string(length)) == 400);
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
  for (const char* first : {"", "GET", "GET /", "GET  HTTP/1.1", "GET / HTTP/2", "GET / HTTP/1.1 ",
                            "GET / x HTTP/1.1", "GET x HTTP/1.1", "GET http://h/ HTTP/1.1", "G(T / HTTP/1.1",
                            "GET /#x HTTP/1.1", " GET / HTTP/1.1", "GET / http/1.1"})
    CHECK(status(std::string(first) + "\r\nHost: h\r\n\r\n") == 400);
  CHECK(status("GET / HTTP/1.1\r\n\r\n") == 400);
  CHECK(status("GET /" + std::string(8000, 'a') + " HTTP/1.1\r\nHost: h\r\n\r\n") == 414);
  std::string many;
  for (int i = 0; i < 99; ++i) many += "A: b\r\n";
  CHECK(with(many + "A: b") == 431);
}
