#include "gradus/util/digest.hpp"

#include <nettle/base16.h>
#include <nettle/md5.h>
#include <nettle/sha2.h>

#include <cstddef>
#include <cstdint>

namespace gradus {
namespace {

const std::uint8_t* octets(std::string_view bytes) { return reinterpret_cast<const std::uint8_t*>(bytes.data()); }

/// Nettle's functions that write a digest also take its size, before version 4.
template <class Context>
void write(void (*function)(Context*, std::size_t, std::uint8_t*), Context& context, std::string& digest) {
  function(&context, digest.size(), reinterpret_cast<std::uint8_t*>(digest.data()));
}
template <class Context>
void write(void (*function)(Context*, std::uint8_t*), Context& context, std::string& digest) {
  function(&context, reinterpret_cast<std::uint8_t*>(digest.data()));
}

std::string hexadecimal(std::string_view digest) {
  std::string digits(BASE16_ENCODE_LENGTH(digest.size()), '0');
  base16_encode_update(digits.data(), digest.size(), octets(digest));
  return digits;
}

}  // namespace

struct Sha256::State : sha256_ctx {};

Sha256::Sha256() : state_(new State) { sha256_init(state_.get()); }

Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) { sha256_update(state_.get(), bytes.size(), octets(bytes)); }

std::string Sha256::digest() const {
  sha256_ctx ended = *state_;  // a copy, because more bytes may follow
  std::string digest(SHA256_DIGEST_SIZE, '\0');
  write(sha256_digest, ended, digest);
  return hexadecimal(digest);
}

std::string sha256(std::string_view bytes) {
  Sha256 sum;
  sum.add(bytes);
  return sum.digest();
}

std::string md5(std::string_view bytes) {
  md5_ctx sum;
  md5_init(&sum);
  md5_update(&sum, bytes.size(), octets(bytes));
  std::string digest(MD5_DIGEST_SIZE, '\0');
  write(md5_digest, sum, digest);
  return hexadecimal(digest);
}

}  // namespace gradus
