#include "gradus/util/sha256.hpp"

#include <random>

#include "gradus/util/sha256_blocks.hpp"
#include "support/catch.hpp"

using gradus::sha256;

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

TEST_CASE("the processor's instructions give the digest of the standard's formula") {
  std::mt19937 random(3);
  for (const std::size_t count : {1, 2, 7}) {
    std::string blocks(64 * count, ' ');
    for (char& c : blocks) c = static_cast<char>(random());
    gradus::Sha256Digest plain, fast;
    for (auto& word : plain) word = static_cast<std::uint32_t>(random());
    fast = plain;
    if (!gradus::add_sha256_blocks_fast(fast, blocks.data(), count)) return;  // not on this processor
    gradus::add_sha256_blocks(plain, blocks.data(), count);
    CHECK(fast == plain);
  }
}
