// Bodies in parts, without a socket.

#include "app/serve/http_body.hpp"

#include "http_status.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr std::size_t most = 300;

/// The body of `bytes`, which arrive `piece` at a time; "unfinished" if it has no end.
std::string body_of(const std::string& bytes, std::size_t piece) {
  BodyInParts parts(most);
  for (std::size_t i = 0; i < bytes.size(); i += piece) {
    if (parts.take(std::string_view(bytes).substr(i, piece))) return parts.body();
  }
  return "unfinished";
}

int status(const std::string& bytes) {
  const int at_once = status_of([&] { body_of(bytes, bytes.size()); });
  CHECK(status_of([&] { body_of(bytes, 1); }) == at_once);
  return at_once;
}

}  // namespace

TEST_CASE("serve: a body in parts is put together, however its bytes arrive") {
  const std::string eleven = "Hello World", all(most, 'x');
  for (const std::size_t piece : {1, 2, 3, 7, 1000}) {
    CHECK(body_of("b\r\n" + eleven + "\r\n0\r\n\r\n", piece) == eleven);
    CHECK(body_of("B;a=b; c=\"d\"\r\n" + eleven + "\r\n0;x\r\nA: b\r\nC:\r\n\r\nwhat follows", piece) == eleven);
    CHECK(body_of("5\r\nHello\r\n0000000000000006 \t;x\r\n World\r\n00\r\n\r\n", piece) == eleven);
    CHECK(body_of("2\r\n\r\n\r\n0\r\n\r\n", piece) == "\r\n");
    CHECK(body_of("0\r\n\r\n", piece).empty());
    CHECK(body_of("12C\r\n" + all + "\r\n0\r\n\r\n", piece) == all);
    CHECK(body_of("b\r\n" + eleven + "\r\n0\r\n", piece) == "unfinished");
  }
}

TEST_CASE("serve: a body in parts is refused at its first wrong byte") {
  for (const char* size : {"+5",
                           "-5",
                           " 5",
                           "0x5",
                           "x5",
                           "g",
                           "5g",
                           "5 5",
                           "5,5",
                           "5.",
                           "\r\n",
                           "\n",
                           "5\n",
                           "5\r5",
                           "5 \r",
                           "5;\n",
                           "5;\x01",
                           "5;\x7f",
                           "00000000000000005",
                           "fffffffffffffffff",
                           "\xd9\xa5",
                           ";x",
                           "\t5"})
    CHECK(status(size) == 400);
  CHECK(status("5;" + std::string(300, 'x')) == 400);
  for (const char* data : {"1\r\nab", "1\r\na\n", "1\r\na\r\r", "1\r\na1\r\n"}) CHECK(status(data) == 400);
  for (const char* trailer : {"no colon\r\n", " folded: x\r\n", "A : b\r\n", "A: b\n", "A: b\rc", "A: \x01"})
    CHECK(status("0\r\n" + std::string(trailer)) == 400);
  std::string lines = "0\r\n";
  for (int i = 0; i < 2000; ++i) lines += "A: b\r\n";
  CHECK(status(lines) == 400);
}

TEST_CASE("serve: lines between the parts of a body, and what follows it, have limits") {
  const auto extension = [](std::size_t size) {  // of the line without its LF
    return status("5;" + std::string(size - 3, 'x') + "\r\nHello\r\n0\r\n\r\n");
  };
  CHECK(extension(256) == 200);
  CHECK(extension(257) == 400);
  const auto trailers = [](std::size_t bytes) {  // with the empty line at their end
    std::string text = "0\r\n";
    for (bytes -= 2; bytes > 300; bytes -= 200) text += "A:" + std::string(196, 'b') + "\r\n";
    return status(text + "A:" + std::string(bytes / 2 - 4, 'b') +
                  "\r\nA:" + std::string(bytes - bytes / 2 - 4, 'b') + "\r\n\r\n");
  };
  CHECK(trailers(8192) == 200);
  CHECK(trailers(8193) == 400);
}

TEST_CASE("serve: a body in parts is too long as soon as a size says so") {
  CHECK(status("12c\r\n") == 200);
  CHECK(status("12d\r\n") == 413);
  CHECK(status("ffffffffffffffff\r\n") == 413);
  CHECK(status("12b\r\n" + std::string(299, 'x') + "\r\n1\r\n") == 200);
  CHECK(status("12b\r\n" + std::string(299, 'x') + "\r\n2\r\n") == 413);
  CHECK(status("12b\r\n" + std::string(299, 'x') + "\r\nffffffffffffffff\r\n") == 413);
}
