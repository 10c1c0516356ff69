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

constexpr std::size_t message_block = 64;  ///< bytes of a block

/// The last blocks of a message of `size` bytes, of which `rest` did not fill a block: these, a 1 bit, zeros, and the
/// length in bits as the last eight bytes (RFC 1321, sections 3.1 and 3.2; FIPS 180-4, section 5.1.1).
inline std::string last_blocks(std::string_view rest, std::uint64_t size, ByteOrder order) {
  std::string tail(rest);
  tail.push_back('\x80');
  tail.resize((tail.size() + 8 + message_block - 1) / message_block * message_block - 8);
  return tail + bytes_of(size * 8, order);
}

/// Calls add_blocks(address, count) for blocks of 64 bytes that lie one behind the other: those of the message, then those
/// of its end.
template <class AddBlocks>
void pass_blocks(std::string_view message, ByteOrder order, const AddBlocks& add_blocks) {
  const std::size_t whole = message.size() / message_block;
  const std::string tail = last_blocks(message.substr(whole * message_block), message.size(), order);
  add_blocks(message.data(), whole);
  add_blocks(tail.data(), tail.size() / message_block);
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
