#include <chrono>
#include <cstdint>

#include "gradus/io/safetensors.hpp"
#include "lib/io/files.hpp"
#include "support/catch.hpp"

using namespace gradus;
using gradus::test::contains;
using gradus::test::content;
using gradus::test::error_of;

namespace {

std::string with_length(std::uint64_t length, const std::string& rest) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(length >> 8 * i));
  return bytes + rest;
}

/// The reader's message for a file with this header and that many bytes of data.
std::string verdict(const std::string& header, std::size_t data = 0) {
  return error_of(
      [&] { SafetensorsFile::parse(with_length(header.size(), header + std::string(data, 'x')), "t"); });
}

std::string verdict_of_bytes(const std::string& bytes) {
  return error_of([&] { SafetensorsFile::parse(bytes, "t"); });
}

/// A tensor of the header: "name":{...}
std::string tensor(const std::string& name, const std::string& type, const std::string& shape,
                   const std::string& offsets) {
  return "\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}

const std::string good = tensor("a", "F32", "[2]", "[0,8]");

}  // namespace

TEST_CASE("the smallest good files are read, so that each bad file below is rejected for its own fault") {
  CHECK(verdict("{" + good + "}", 8) == "no error");
  CHECK(verdict("{" + good + "}   ", 8) == "no error");
  CHECK(verdict("{}") == "no error");
  CHECK(verdict("{" + good + "," + tensor("b", "U8", "[1,1]", "[8,9]") + "}", 9) == "no error");
  CHECK(verdict("{\"b\":{\"shape\":[],\"data_offsets\":[0,8],\"dtype\":\"I64\"}}", 8) == "no error");
}

TEST_CASE("a file of another format is rejected with a message of one line") {
  CHECK(verdict_of_bytes("") == "t: not a whole safetensors file: too short to be one");
  CHECK_THAT(verdict_of_bytes("1234567"), contains("too short"));
  CHECK_THAT(verdict_of_bytes("version https://example.org/pointer\n"), contains("header would be"));
  CHECK_THAT(verdict_of_bytes(with_length(2, "[]")), contains("does not begin with {"));
  CHECK_THAT(verdict_of_bytes(with_length(3, " {}")), contains("does not begin with {"));
  CHECK_THAT(verdict_of_bytes(with_length(0, "{}")), contains("does not begin with {"));
  CHECK_THAT(error_of([] { SafetensorsFile::load("/nowhere/model.safetensors"); }),
             contains("cannot read /nowhere/model.safetensors: No such file"));
}

TEST_CASE("a header longer than the file or than 100 MB is rejected before memory is taken") {
  CHECK_THAT(verdict_of_bytes(with_length(3, "{}")), contains("cut short within its header"));
  CHECK_THAT(verdict_of_bytes(with_length(100'000'000, "{}")), contains("cut short within its header"));
  CHECK_THAT(verdict_of_bytes(with_length(100'000'001, "{}")), contains("header would be 100000001 bytes"));
  CHECK_THAT(verdict_of_bytes(with_length(~std::uint64_t{0}, "{}")),
             contains("header would be 18446744073709551615"));
}

TEST_CASE("a header that is not the JSON of the format is rejected") {
  CHECK(verdict("{") ==
        "t: not a whole safetensors file: its header: not JSON (byte 2): unexpected end of input; "
        "expected string literal");
  CHECK_THAT(verdict("{}{}"), contains("not JSON"));
  CHECK_THAT(verdict("{\"a\xff\":1}"), contains("not JSON"));
  CHECK_THAT(verdict("{" + good + ",}", 8), contains("not JSON"));
  CHECK_THAT(verdict("{\"a\":1e999}"), contains("a number is out of range"));
  CHECK_THAT(verdict("{\"a\":" + std::string(100'000, '[') + "}"), contains("nested too deeply"));
  CHECK_THAT(verdict("{\"__metadata__\":{\"a\":{\"b\":{}}}}"), contains("nested too deeply"));
  CHECK_THAT(verdict("{\"a\":1}"), contains("tensor \"a\" is not an object"));
  CHECK_THAT(verdict("{\"a\":{}}"), contains("tensor \"a\" has other members"));
  CHECK_THAT(verdict("{\"__metadata__\":1}"), contains("metadata is not an object"));
  CHECK_THAT(verdict("{\"__metadata__\":{\"epoch\":1}}"), contains("metadata \"epoch\" is not a text"));
}

TEST_CASE("a header of very many tensors takes seconds and not hours, and so does one of equal names") {
  std::string header = "{", metadata = "{\"__metadata__\":{";
  for (int i = 0; i < 150'000; ++i) {
    header += (i == 0 ? "" : ",") + tensor("t" + std::to_string(i), "U8", "[0]", "[0,0]");
    metadata += "\"" + std::to_string(i) + "\":\"\",";
  }
  const auto start = std::chrono::steady_clock::now();
  CHECK(verdict(header + "}") == "no error");
  CHECK_THAT(verdict(metadata + "\"7\":\"\"}}"), contains("\"7\" comes twice"));
  CHECK(std::chrono::steady_clock::now() - start <
        std::chrono::seconds(60));  // each tensor against each: half an hour
}

TEST_CASE("a key that comes twice is rejected in every place") {
  CHECK_THAT(verdict("{" + good + "," + good + "}", 8), contains("\"a\" comes twice"));
  CHECK_THAT(verdict("{" + good + ",\"\\u0061\":1}", 8), contains("\"a\" comes twice"));
  CHECK_THAT(verdict("{\"__metadata__\":{\"k\":\"1\",\"k\":\"2\"}}"), contains("\"k\" comes twice"));
  CHECK_THAT(verdict("{\"a\":{\"dtype\":\"U8\",\"shape\":[],\"shape\":[1],\"data_offsets\":[0,1]}}", 1),
             contains("\"shape\" comes twice"));
}

TEST_CASE("a tensor with wrong members is rejected, and the message has its name") {
  const auto one = [](const std::string& type, const std::string& shape, const std::string& offsets) {
    return verdict("{" + tensor("w", type, shape, offsets) + "}", 8);
  };
  CHECK_THAT(one("BF16", "[4]", "[0,8]"), contains("tensor \"w\" has the unknown type \"BF16\""));
  CHECK_THAT(one("f32", "[2]", "[0,8]"), contains("unknown type"));
  CHECK_THAT(one("F32", "2", "[0,8]"), contains("a shape that is not a list of sizes"));
  CHECK_THAT(one("F32", "[-2]", "[0,8]"), contains("a shape that is not a list of sizes"));
  CHECK_THAT(one("F32", "[2.0]", "[0,8]"), contains("a shape that is not a list of sizes"));
  CHECK_THAT(one("F32", "[\"2\"]", "[0,8]"), contains("a shape that is not a list of sizes"));
  CHECK_THAT(one("F32", "[18446744073709551616]", "[0,8]"), contains("a shape that is not a list of sizes"));
  CHECK_THAT(one("F32", "[2]", "8"), contains("data_offsets that is not a list of sizes"));
  CHECK_THAT(one("F32", "[2]", "[8]"), contains("data_offsets that are not a begin and an end"));
  CHECK_THAT(one("F32", "[2]", "[0,8,8]"), contains("data_offsets that are not a begin and an end"));
  CHECK_THAT(one("F32", "[2]", "[8,0]"), contains("data_offsets that are not a begin and an end"));
  CHECK_THAT(verdict("{\"w\":{\"dtype\":1,\"shape\":[],\"data_offsets\":[0,8]}}", 8),
             contains("dtype that is not a"));
  CHECK_THAT(verdict("{\"w\":{\"dtype\":\"F64\",\"shape\":[],\"offsets\":[0,8]}}", 8),
             contains("has no data_offsets"));
  CHECK_THAT(verdict("{\"w\":{\"shape\":[],\"data_offsets\":[0,8],\"x\":1}}", 8), contains("has no dtype"));
  CHECK_THAT(verdict("{\"w\":{\"dtype\":\"F64\",\"shape\":[],\"data_offsets\":[0,8],\"x\":1}}", 8),
             contains("tensor \"w\" has other members"));
}

TEST_CASE("shapes, offsets and data that do not agree are rejected") {
  const auto one = [](const std::string& shape, const std::string& offsets) {
    return verdict("{" + tensor("w", "F32", shape, offsets) + "}", 8);
  };
  CHECK_THAT(one("[3]", "[0,8]"), contains("tensor \"w\" has a shape of 12 bytes and offsets of 8"));
  CHECK_THAT(one("[1]", "[0,8]"), contains("a shape of 4 bytes"));
  CHECK_THAT(one("[0]", "[0,8]"), contains("a shape of 0 bytes"));
  CHECK_THAT(one("[4611686018427387906]", "[0,8]"),
             contains("a shape that is too large"));  // 4 x it is 8, mod 2^64
  CHECK_THAT(one("[4294967296,4294967296,0]", "[0,0]"), contains("a shape that is too large"));
  CHECK_THAT(one("[4]", "[0,16]"), contains("cut short: its tensors take 16 bytes, 8 are there"));
  CHECK_THAT(one("[1]", "[0,4]"), contains("4 bytes follow its last tensor"));
  CHECK_THAT(one("[1]", "[4,8]"), contains("overlap or leave a gap at byte 0"));
  CHECK_THAT(one("[2305843009213693951]", "[0,9223372036854775804]"), contains("cut short"));
}

TEST_CASE("tensors that overlap or leave a gap are rejected") {
  const auto two = [](const std::string& first, const std::string& second, const std::string& shape) {
    return verdict("{" + tensor("a", "U8", shape, first) + "," + tensor("b", "U8", shape, second) + "}", 8);
  };
  CHECK(two("[4,8]", "[0,4]", "[4]") == "no error");  // in any order
  CHECK_THAT(two("[0,4]", "[0,4]", "[4]"), contains("overlap or leave a gap at byte 4"));
  CHECK_THAT(two("[0,5]", "[3,8]", "[5]"), contains("overlap or leave a gap at byte 5"));
  CHECK_THAT(two("[0,3]", "[5,8]", "[3]"), contains("overlap or leave a gap at byte 3"));
}

TEST_CASE("control characters of a name are spelt out in the message, and a long name is cut") {
  const std::string message = verdict("{\"" + std::string(1000, 'n') + "\\n\":1}");
  CHECK(message.size() < 250);
  CHECK_THAT(verdict("{\"a\\nb\\u0000\":1}"), contains("tensor \"a\\nb\\u0000\" is not an object"));
}

TEST_CASE("a good file cut at any byte, or with one byte more, is rejected") {
  const std::string bytes = content(GRADUS_IO_FIXTURES "reader.safetensors");
  REQUIRE(verdict_of_bytes(bytes) == "no error");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    INFO("cut after " << size << " bytes");
    CHECK_THAT(verdict_of_bytes(bytes.substr(0, size)), contains("t: not a whole safetensors file: "));
  }
  CHECK_THAT(verdict_of_bytes(bytes + '\0'), contains("1 bytes follow"));
}

TEST_CASE("a good file with any byte changed is read or rejected, without a crash") {
  const std::string bytes = content(GRADUS_IO_FIXTURES "writer.safetensors");
  int rejected = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const int flip : {1, 2, 4, 16, 128}) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      const std::string message = error_of([&] {
        const auto file = SafetensorsFile::parse(changed, "t");
        for (const std::string& name : file.names()) {
          if (file.type(name) == StoredType::I64) {
            file.integers(name);
          } else {
            file.values<double>(name);
          }
        }
      });
      if (message != "no error") ++rejected;
    }
  }
  CHECK(rejected > 500);
}
