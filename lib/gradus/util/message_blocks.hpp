#pragma once
/// \file
/// What MD5 and SHA-256 share: a message becomes blocks of 64 bytes, and numbers become bytes in one of two orders.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gradus {

/// MD5 writes the lowest byte of a number first, SHA-256 the highest.
enum class ByteOrder { lowest_first, highest_first };

template <class Number>
std::string bytes_of(Number number, ByteOrder order) {
  std::string bytes;
  for (std::size_t i = 0; i < sizeof number; ++i) {
    const std::size_t place = order == ByteOrder::lowest_first ? i : sizeof number - 1 - i;
    bytes.push_back(static_cast<char>(number >> 8 * place & 0xff));
  }
  return bytes;
}

/// Calls add_blocks(address, count) for blocks of 64 bytes that lie one behind the other: those of the message, then those
/// of its end: a 1 bit, zeros, and the length in bits as the last eight bytes (RFC 1321, sections 3.1 and 3.2; FIPS
/// 180-4, section 5.1.1).
template <class AddBlocks>
void pass_blocks(std::string_view message, ByteOrder order, const AddBlocks& add_blocks) {
  constexpr std::size_t block_size = 64;
  std::string tail(message.substr(message.size() - message.size() % block_size));
  tail.push_back('\x80');
  tail.resize((tail.size() + 8 + block_size - 1) / block_size * block_size - 8);
  tail += bytes_of(static_cast<std::uint64_t>(message.size()) * 8, order);
  add_blocks(message.data(), message.size() / block_size);
  add_blocks(tail.data(), tail.size() / block_size);
}

/// The numbers of a digest as hexadecimal digits, two for each byte.
template <class Digest>
std::string hexadecimal(const Digest& digest, ByteOrder order) {
  std::string text;
  for (const std::uint32_t word : digest) {
    for (const char byte : bytes_of(word, order)) {
      for (const int shift : {4, 0}) text.push_back("0123456789abcdef"[byte >> shift & 0xf]);
    }
  }
  return text;
}

}  // namespace gradus
