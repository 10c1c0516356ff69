#include "app/import/marian_file.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#include "gradus/io/half.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

/// The number of elements, if the data has room for them.
std::size_t element_count(const std::vector<std::size_t>& shape, std::size_t length, const std::string& where) {
  std::size_t count = 1;
  for (const std::size_t n : shape) {
    if (n > length / count) fail(where + " has less data than its shape says");
    count *= n;
  }
  return count;
}

/// The bytes that the values of a tensor need.
std::uint64_t bytes_needed(MarianFile::Type type, std::uint64_t count) {
  switch (type) {
    case MarianFile::Type::half:
      return count * sizeof(Half);
    case MarianFile::Type::real:
      return count * sizeof(float);
    case MarianFile::Type::wide:
      return count * sizeof(double);
    case MarianFile::Type::intgemm:
      return count + sizeof(float);
    case MarianFile::Type::bytes:
      return count;
  }
  fail("marian: there is no such type");
}

/// memcpy, because the data has no alignment.
template <class Stored, class Real>
void copy_values(std::vector<Real>& values, const char* from) {
  for (Real& value : values) {
    Stored stored;
    std::memcpy(&stored, from, sizeof stored);
    value = static_cast<Real>(stored);
    from += sizeof stored;
  }
}

}  // namespace

void MarianFile::add(const std::string& name, Type type, const std::vector<std::size_t>& shape, std::string data) {
  const std::string where = origin_ + ": " + printable(name);
  const std::size_t count = element_count(shape, data.size(), where);
  if (bytes_needed(type, count) > data.size()) fail(where + " has less data than its shape says");
  if (!tensors_.emplace(name, Tensor{type, shape, count, std::move(data)}).second) fail(where + " comes twice");
}

std::vector<std::string> MarianFile::names() const {
  std::vector<std::string> all;
  for (const auto& [name, tensor] : tensors_) all.push_back(name);
  return all;
}

const MarianFile::Tensor& MarianFile::find(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) fail(origin_ + ": " + printable(name) + " is missing");
  return found->second;
}

template <class Real>
std::vector<Real> MarianFile::values(const std::string& name) const {
  const Tensor& t = find(name);
  const char* const data = t.data.data();
  const auto refuse = [&](const char* what) { fail(origin_ + ": " + printable(name) + what); };
  std::vector<Real> values(t.count);
  switch (t.type) {
    case Type::bytes:
      refuse(" is text, and no weights");
      break;
    case Type::half:
      copy_values<Half>(values, data);
      break;
    case Type::real:
      copy_values<float>(values, data);
      break;
    case Type::wide:
      copy_values<double>(values, data);
      break;
    case Type::intgemm: {
      float divisor = 0;
      std::memcpy(&divisor, data + t.count, sizeof divisor);
      if (!(divisor > 0) || !std::isfinite(divisor)) refuse(" has a divisor that is not positive");
      copy_values<signed char>(values, data);
      for (Real& value : values) value /= static_cast<Real>(divisor);
      break;
    }
  }
  for (const Real value : values) {
    if (!std::isfinite(value)) refuse(" has a weight that is not finite");
  }
  return values;
}

std::string_view MarianFile::text(const std::string& name) const {
  const Tensor& t = find(name);
  if (t.type != Type::bytes) fail(origin_ + ": " + printable(name) + " is no text");
  const std::string_view all = std::string_view(t.data).substr(0, t.count);
  return all.substr(0, all.find('\0'));
}

template std::vector<float> MarianFile::values(const std::string&) const;
template std::vector<double> MarianFile::values(const std::string&) const;

}  // namespace gradus
