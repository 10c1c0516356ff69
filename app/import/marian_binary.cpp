#include "app/import/marian_binary.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

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

/// The number of elements, if the data has room for them.
std::size_t element_count(const std::vector<std::size_t>& shape, std::size_t length, const std::string& where) {
  std::size_t count = 1;
  for (const std::size_t n : shape) {
    if (n > length / count) fail(where + " has less data than its shape says");
    count *= n;
  }
  return count;
}

MarianBinary::Type type_of(std::uint64_t number, const std::string& where) {
  using Type = MarianBinary::Type;
  for (const Type type : {Type::bytes, Type::real, Type::intgemm}) {
    if (number == static_cast<std::uint64_t>(type)) return type;
  }
  fail(where + " has values of the type " + std::to_string(number) +
       "; only float (1028), intgemm's int8 (16641) and text (257) are read");
}

/// The bytes that the values of a tensor need.
std::uint64_t bytes_needed(MarianBinary::Type type, std::uint64_t count) {
  switch (type) {
    case MarianBinary::Type::real:
      return count * sizeof(float);
    case MarianBinary::Type::intgemm:
      return count + sizeof(float);
    case MarianBinary::Type::bytes:
      return count;
  }
  fail("marian: there is no such type");
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

MarianBinary MarianBinary::parse(std::string bytes, const std::string& origin) {
  MarianBinary file(std::move(bytes), origin);
  MarianBytes from(file.bytes_, origin);
  const std::vector<MarianHeader> headers = take_headers(from, origin);
  std::vector<std::string> names;
  names.reserve(headers.size());
  for (const MarianHeader& h : headers) names.push_back(take_name(from, h, origin));
  std::vector<std::vector<std::size_t>> shapes;
  for (std::size_t k = 0; k < headers.size(); ++k)
    shapes.push_back(take_shape(from, headers[k], origin + ": " + printable(names[k])));
  from.take(from.number<std::uint64_t>());
  for (std::size_t k = 0; k < headers.size(); ++k) {
    const std::string where = origin + ": " + printable(names[k]);
    const Type type = type_of(headers[k].type, where);
    const std::size_t first = file.bytes_.size() - from.left(), length = from.take(headers[k].data).size();
    const std::size_t count = element_count(shapes[k], length, where);
    if (bytes_needed(type, count) > length) fail(where + " has less data than its shape says");
    if (!file.tensors_.emplace(names[k], Tensor{type, shapes[k], count, first, length}).second)
      fail(where + " comes twice");
  }
  if (from.left() != 0) fail(origin + " is longer than its tensors");
  return file;
}

std::vector<std::string> MarianBinary::names() const {
  std::vector<std::string> all;
  for (const auto& [name, tensor] : tensors_) all.push_back(name);
  return all;
}

const MarianBinary::Tensor& MarianBinary::find(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) fail(origin_ + ": " + printable(name) + " is missing");
  return found->second;
}

template <class Real>
std::vector<Real> MarianBinary::values(const std::string& name) const {
  const Tensor& t = find(name);
  const char* const data = bytes_.data() + t.first;
  const auto refuse = [&](const char* what) { fail(origin_ + ": " + printable(name) + what); };
  if (t.type == Type::bytes) refuse(" is text, and no weights");
  std::vector<Real> values(t.count);
  if (t.type == Type::intgemm) {
    float divisor = 0;
    std::memcpy(&divisor, data + t.count, sizeof divisor);
    if (!(divisor > 0) || !std::isfinite(divisor)) refuse(" has a divisor that is not positive");
    for (std::size_t k = 0; k < t.count; ++k)
      values[k] = static_cast<Real>(static_cast<signed char>(data[k])) / static_cast<Real>(divisor);
  } else {
    for (std::size_t k = 0; k < t.count; ++k) {
      float value = 0;
      std::memcpy(&value, data + k * sizeof value, sizeof value);
      values[k] = static_cast<Real>(value);
    }
  }
  for (const Real value : values) {
    if (!std::isfinite(value)) refuse(" has a weight that is not finite");
  }
  return values;
}

std::string_view MarianBinary::text(const std::string& name) const {
  const Tensor& t = find(name);
  if (t.type != Type::bytes) fail(origin_ + ": " + printable(name) + " is no text");
  const std::string_view all = std::string_view(bytes_).substr(t.first, t.count);
  return all.substr(0, all.find('\0'));
}

template std::vector<float> MarianBinary::values(const std::string&) const;
template std::vector<double> MarianBinary::values(const std::string&) const;

}  // namespace gradus
