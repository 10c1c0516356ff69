#include "exercises/wire.hpp"

#include <unistd.h>
#include <cstring>

namespace gradus::test {
namespace {

/// A message as bytes: numbers as they stand in memory, since both processes run on this machine.
class Writer {
 public:
  void number(std::uint64_t n) { bytes(&n, sizeof n); }
  void real(double x) { bytes(&x, sizeof x); }
  void text(const std::string& s) { number(s.size()), bytes(s.data(), s.size()); }
  void named(const Named& map) {
    number(map.size());
    for (const auto& [name, values] : map) {
      text(name), number(values.size());
      bytes(values.data(), values.size() * sizeof(double));
    }
  }
  /// The length, then the message. A reader that has ended is noticed at the next read.
  void to(int file) const {
    const std::uint64_t length = message_.size();
    std::string all(reinterpret_cast<const char*>(&length), sizeof length);
    all += message_;
    for (std::size_t sent = 0; sent < all.size();) {
      const ssize_t n = write(file, all.data() + sent, all.size() - sent);
      if (n <= 0) return;
      sent += static_cast<std::size_t>(n);
    }
  }

 private:
  void bytes(const void* from, std::size_t n) { message_.append(static_cast<const char*>(from), n); }
  std::string message_;
};

class Reader {
 public:
  /// False if the file ends before a whole message.
  bool from(int file) {
    std::uint64_t length = 0;
    if (!fill(file, &length, sizeof length)) return false;
    message_.resize(length);
    return fill(file, message_.data(), length);
  }
  std::uint64_t number() { return of<std::uint64_t>(); }
  double real() { return of<double>(); }
  std::string text() {
    std::string s(number(), ' ');
    bytes(s.data(), s.size());
    return s;
  }
  Named named() {
    Named map;
    for (std::uint64_t left = number(); left > 0; --left) {
      std::vector<double>& values = map[text()];
      values.resize(number());
      bytes(values.data(), values.size() * sizeof(double));
    }
    return map;
  }

 private:
  static bool fill(int file, void* to, std::size_t n) {
    for (std::size_t got = 0; got < n;) {
      const ssize_t more = read(file, static_cast<char*>(to) + got, n - got);
      if (more <= 0) return false;
      got += static_cast<std::size_t>(more);
    }
    return true;
  }
  template <class T>
  T of() {
    T x{};
    bytes(&x, sizeof x);
    return x;
  }
  void bytes(void* to, std::size_t n) {
    if (n != 0) std::memcpy(to, message_.data() + at_, n);
    at_ += n;
  }
  std::string message_;
  std::size_t at_ = 0;
};

}  // namespace

void send(int file, const Request& r) {
  Writer w;
  w.number(r.case_number), w.named(r.values.value), w.named(r.values.slope);
  w.number(r.options.backward ? 1 : 0), w.number(static_cast<std::uint64_t>(r.options.backward_times));
  w.real(r.options.accumulated_from), w.number(r.options.strided ? 1 : 0), w.number(r.options.gap);
  w.number(r.options.in_place ? 1 : 0);
  w.text(r.options.shrunk), w.number(r.options.shrunk_axis), w.number(static_cast<std::uint64_t>(r.order));
  w.to(file);
}

bool receive(int file, Request& r) {
  Reader from;
  if (!from.from(file)) return false;
  r.case_number = from.number(), r.values.value = from.named(), r.values.slope = from.named();
  r.options.backward = from.number() != 0, r.options.backward_times = static_cast<int>(from.number());
  r.options.accumulated_from = from.real(), r.options.strided = from.number() != 0;
  r.options.gap = from.number();
  r.options.in_place = from.number() != 0;
  r.options.shrunk = from.text(), r.options.shrunk_axis = from.number();
  r.order = static_cast<int>(from.number());
  return true;
}

void send(int file, const Answer& a) {
  Writer w;
  w.number(a.is_error ? 1 : 0), w.text(a.error);
  w.named(a.run.output), w.named(a.run.slope), w.named(a.run.gradient), w.named(a.run.saved);
  w.number(a.run.inputs_unchanged ? 1 : 0), w.number(a.run.gaps_untouched ? 1 : 0);
  w.to(file);
}

bool receive(int file, Answer& a) {
  Reader from;
  if (!from.from(file)) return false;
  a.is_error = from.number() != 0, a.error = from.text();
  a.run.output = from.named(), a.run.slope = from.named(), a.run.gradient = from.named();
  a.run.saved = from.named();
  a.run.inputs_unchanged = from.number() != 0, a.run.gaps_untouched = from.number() != 0;
  return true;
}

}  // namespace gradus::test
