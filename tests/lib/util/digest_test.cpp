#include "gradus/util/digest.hpp"

#include <cstddef>

#include "support/catch.hpp"

using gradus::md5, gradus::sha256;

TEST_CASE("published messages have their published digests") {
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
               "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu") ==
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  CHECK(sha256(std::string(1'000'000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("the length of a message in bits may need more than three bytes") {
  CHECK(sha256(std::string(3'000'000, 'a')) ==
        "2a152c894398719c0570f83fac34ac03a0f6e8e474b995c2403aa5434f7b9dd4");  // by Python's hashlib
}

TEST_CASE("every length around the ends of blocks is padded rightly") {
  std::string digests;
  for (std::size_t n = 0; n < 130; ++n) digests += sha256(std::string(n, 'a'));
  // The digest of these 130 digests in a row, by Python's hashlib.
  CHECK(sha256(digests) == "c665ed20ef30f158e90c7e921d8182bc0943c4b087a82f64a18d417bcdfadce7");
}

TEST_CASE("a message in pieces of any size has the digest of the whole message") {
  std::string message;
  for (int i = 0; i < 300; ++i) message.push_back(static_cast<char>(7 * i));
  for (const std::size_t piece : {1, 3, 63, 64, 65, 130, 299}) {
    gradus::Sha256 sum;
    sum.add("");
    for (std::size_t at = 0; at < message.size(); at += piece) {
      CHECK(sum.digest() == sha256(message.substr(0, at)));
      sum.add(message.substr(at, piece));
    }
    CHECK(sum.digest() == sha256(message));
  }
}

TEST_CASE("MD5: the messages of RFC 1321, section A.5, have its digests") {
  CHECK(md5("") == "d41d8cd98f00b204e9800998ecf8427e");
  CHECK(md5("a") == "0cc175b9c0f1b6a831c399e269772661");
  CHECK(md5("abc") == "900150983cd24fb0d6963f7d28e17f72");
  CHECK(md5("message digest") == "f96b697d7cb7938d525a2f31aaf161d0");
  CHECK(md5("abcdefghijklmnopqrstuvwxyz") == "c3fcd3d76192e4007dfb496cca67e13b");
  CHECK(md5("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") ==
        "d174ab98d277d9f5a5611c2c9f419d9f");
  CHECK(md5("12345678901234567890123456789012345678901234567890123456789012345678901234567890") ==
        "57edf4a22be3c955ac49da2e2107b67a");
}

TEST_CASE("MD5: every length around the ends of blocks is padded rightly, and a long one counts its bits") {
  std::string digests;
  for (std::size_t n = 0; n < 130; ++n) digests += md5(std::string(n, 'a'));
  // Both by Python's hashlib.
  CHECK(md5(digests) == "8e96233fcf7b25e501680d371857c2ee");
  CHECK(md5(std::string(3'000'000, 'a')) == "99ddc9a3a46ea62c95652bdf937a1fb8");
}
