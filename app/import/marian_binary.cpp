#include "app/import/marian_binary.hpp"

#include <cstdint>
#include <cstring>
#include <vector>

#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

/// Takes parts from the front of a file. No part is longer than what is left, so sums of lengths cannot overflow.
class MarianBytes {
 public:
  MarianBytes(std::string_view rest, const std::string& origin) : rest_(rest), origin_(origin) {}

  std::string_view take(std::uint64_t length) {
    if (length > rest_.size()) fail(origin_ + " is cut: it ends within what it says it has");
    const std::string_view part = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return part;
  }

  template <class Number>
  Number number() {
    Number value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }

  std::size_t left() const { return rest_.size(); }

 private:
  std::string_view rest_;
  const std::string& origin_;
};

struct MarianHeader {
  std::uint64_t name, type, shape, data;  ///< lengths, but for the type
};

MarianFile::Type type_of(std::uint64_t number, const std::string& where) {
  using Type = MarianFile::Type;
  for (const Type type : {Type::bytes, Type::half, Type::real, Type::wide, Type::intgemm}) {
    if (number == static_cast<std::uint64_t>(type)) return type;
  }
  fail(where + " has values of the type " + std::to_string(number) +
       "; only floats (1026, 1028, 1032), intgemm's int8 (16641) and text (257) are read");
}

std::vector<MarianHeader> take_headers(MarianBytes& from, const std::string& origin) {
  constexpr std::uint64_t length = 4 * sizeof(std::uint64_t);
  if (from.number<std::uint64_t>() != 1) fail(origin + " is no file of Marian's weights of version 1");
  const auto count = from.number<std::uint64_t>();
  if (count > from.left() / length)
    fail(origin + " says that it has " + std::to_string(count) + " tensors, but is too short for them");
  std::vector<MarianHeader> headers(count);
  for (MarianHeader& h : headers) {
    h.name = from.number<std::uint64_t>(), h.type = from.number<std::uint64_t>();
    h.shape = from.number<std::uint64_t>(), h.data = from.number<std::uint64_t>();
  }
  return headers;
}

std::string take_name(MarianBytes& from, const MarianHeader& header, const std::string& origin) {
  const std::string_view name = from.take(header.name);
  if (name.size() < 2 || name.find('\0') != name.size() - 1)
    fail(origin + ": the name of a tensor is empty, or does not end with its NUL");
  return std::string(name.substr(0, name.size() - 1));
}

std::vector<std::size_t> take_shape(MarianBytes& from, const MarianHeader& header, const std::string& where) {
  constexpr std::uint64_t most_axes = 8;
  if (header.shape > most_axes) fail(where + " has " + std::to_string(header.shape) + " axes");
  std::vector<std::size_t> shape;
  for (std::uint64_t k = 0; k < header.shape; ++k) {
    const auto n = from.number<std::int32_t>();
    if (n <= 0) fail(where + " has the size " + std::to_string(n));
    shape.push_back(static_cast<std::size_t>(n));
  }
  return shape;
}

}  // namespace

MarianFile parse_marian_binary(std::string_view bytes, const std::string& origin) {
  MarianBytes from(bytes, origin);
  const std::vector<MarianHeader> headers = take_headers(from, origin);
  std::vector<std::string> names;
  names.reserve(headers.size());
  for (const MarianHeader& h : headers) names.push_back(take_name(from, h, origin));
  const auto where = [&](std::size_t k) { return origin + ": " + printable(names[k]); };
  std::vector<std::vector<std::size_t>> shapes;
  for (std::size_t k = 0; k < headers.size(); ++k) shapes.push_back(take_shape(from, headers[k], where(k)));
  from.take(from.number<std::uint64_t>());
  MarianFile file(origin);
  for (std::size_t k = 0; k < headers.size(); ++k) {
    const MarianFile::Type type = type_of(headers[k].type, where(k));
    file.add(names[k], type, shapes[k], std::string(from.take(headers[k].data)));
  }
  if (from.left() != 0) fail(origin + " is longer than its tensors");
  return file;
}

}  // namespace gradus
