#include "gradus/util/md5.hpp"

#include "support/catch.hpp"

using gradus::md5;

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
