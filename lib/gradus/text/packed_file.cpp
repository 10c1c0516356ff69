#include "gradus/text/packed_file.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <new>

#include "gradus/io/atomic_file.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

constexpr int gzip_only = 16 + MAX_WBITS;  // zlib's code for a gzip header and a window of any size

}  // namespace

std::string gunzip(std::string_view packed, const std::string& origin, std::size_t limit) {
  z_stream stream{};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));  // zlib only reads it
  if (inflateInit2(&stream, gzip_only) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, inflateEnd);
  std::size_t left = packed.size();  // not yet passed to zlib, which counts in 32 bits
  std::string text;
  std::array<char, 1 << 16> buffer;
  for (;;) {
    if (stream.avail_in == 0) {
      stream.avail_in = static_cast<uInt>(std::min<std::size_t>(left, std::numeric_limits<uInt>::max()));
      left -= stream.avail_in;
    }
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    const int state = inflate(&stream, Z_NO_FLUSH);
    if (state == Z_MEM_ERROR) throw std::bad_alloc();
    // zlib wants more input, and there is none
    if (state == Z_BUF_ERROR) fail(origin + ": the gzip file is cut short");
    if (state != Z_OK && state != Z_STREAM_END) fail(origin + ": the gzip file is damaged");

    text.append(buffer.data(), buffer.size() - stream.avail_out);
    if (text.size() > limit)
      fail(origin + ": unpacks to more than " + std::to_string(limit) + " bytes, too many for a text of its size");
    if (state == Z_STREAM_END) {
      if (stream.avail_in == 0 && left == 0) return text;
      inflateReset(&stream);  // another packed file follows
    }
  }
}

std::string gunzip_text(std::string_view packed, const std::string& origin) {
  return gunzip(packed, origin, (std::size_t{64} << 20) + 100 * packed.size());
}

std::string read_packed_file(const std::string& path) {
  std::string bytes = read_file(path);
  return bytes.compare(0, 2, "\x1f\x8b") == 0 ? gunzip_text(bytes, path) : bytes;
}

}  // namespace gradus
