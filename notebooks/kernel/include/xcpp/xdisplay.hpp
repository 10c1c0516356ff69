#pragma once
/// \file
/// xeus-cling's functions for rich output, for this kernel. A value is shown by `mime_bundle_repr(value)`, a function
/// beside its type that returns its forms by their MIME type: a Bundle, or an nlohmann::json. A message to the kernel goes through
/// stdout, between the control characters 2 and 3, so it keeps its place in the output.

#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace xcpp {

struct xguid {
  std::string text;
};

struct Bundle : std::vector<std::pair<std::string, std::string>> {
  using vector::vector;

  std::string dump() const {  // JSON
    std::string text;
    for (const auto& [type, form] : *this) text += (text.empty() ? "{" : ",") + quoted(type) + ":" + quoted(form);
    return text + "}";
  }
  static std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", c);
      result += c == '"' || c == '\\' || (c >= 0 && c < ' ') ? code : std::string(1, c);
    }
    return result + '"';
  }
};

namespace detail {

inline void send(const std::string& kind, const std::string& text) {
  std::cout.flush();
  std::printf("\2%s\n%s\3", kind.c_str(), text.c_str());
  std::fflush(stdout);
}

struct Rank0 {};
struct Rank1 : Rank0 {};
struct Rank2 : Rank1 {};

// As text: what << prints; else the elements in braces; else the name of the type.
template <class T>
auto print(std::ostream& out, const T& value, Rank2) -> decltype(out << value, void()) {
  out << value;
}
template <class T>
auto print(std::ostream& out, const T& values, Rank1) -> decltype(values.begin(), values.end(), void()) {
  const char* separator = "{ ";
  for (const auto& value : values) {
    out << separator;
    print(out, value, Rank2{});
    separator = ", ";
  }
  out << (values.begin() == values.end() ? "{ }" : " }");
}
template <class T>
void print(std::ostream& out, const T&, Rank0) {
  out << "(a value of type " << typeid(T).name() << ")";
}

template <class T>
auto show(const std::string& kind, const T& value, Rank1) -> decltype(mime_bundle_repr(value).dump(), void()) {
  send(kind, mime_bundle_repr(value).dump());
}
template <class T>
void show(const std::string& kind, const T& value, Rank0) {
  std::ostringstream text;
  text << std::boolalpha;
  print(text, value, Rank2{});
  send(kind + " text", text.str());
}

// The kernel appends `, Result{}` to a cell's last expression. An expression without a value stays without one.
struct Result {};
template <class T>
void operator,(const T& value, Result) {
  if constexpr (!std::is_base_of_v<std::ios_base, T>) show("result", value, Rank1{});
}

}  // namespace detail

template <class T>
void display(const T& value) {
  detail::show("display", value, detail::Rank1{});
}
template <class T>
void display(const T& value, xguid id, bool update = false) {
  detail::show((update ? "update " : "display ") + id.text, value, detail::Rank1{});
}
inline void clear_output(bool wait = false) { detail::send("clear", wait ? "wait" : ""); }

}  // namespace xcpp
