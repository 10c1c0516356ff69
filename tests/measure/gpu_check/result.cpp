#include "measure/gpu_check/result.hpp"

#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>

#include "gradus/gpu/runtime.hpp"
#include "gradus/util/error.hpp"
#include "measure/gpu_check/kernel_sources.hpp"

namespace gradus::test {
namespace {

std::string joined(const std::vector<std::string>& items, const char* separator) {
  std::string all;
  for (const std::string& item : items) all += (all.empty() ? "" : separator) + item;
  return all;
}

std::vector<std::string> texts(const Members& members) {
  std::vector<std::string> result;
  for (const auto& [name, value] : members) result.push_back(json(name) + ": " + value);
  return result;
}

/// Indents every line by one more space.
std::string indented(const std::string& text) {
  std::string result = " ";
  for (const char c : text) result += c == '\n' ? std::string("\n ") : std::string(1, c);
  return result;
}

std::string today() {
  char date[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%F", std::gmtime(&now));
  return date;
}

}  // namespace

std::string json(double number) {
  if (!std::isfinite(number)) return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", number);
  return text;
}
std::string json(bool truth) { return truth ? "true" : "false"; }
std::string json(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}
std::string json(const Members& members) { return "{\n" + indented(joined(texts(members), ",\n")) + "\n}"; }
std::string json_line(const Members& members) { return "{" + joined(texts(members), ", ") + "}"; }
std::string json_line(const std::vector<double>& numbers) {
  std::vector<std::string> items;
  for (const double x : numbers) items.push_back(json(x));
  return "[" + joined(items, ", ") + "]";
}

const std::string& device_name() {
  static const std::string name = gpu::device_text();
  return name;
}

void write_result(const std::string& path, const std::string& name, const std::string& section) {
  Members sources;
  for (const auto& [source, hash] : kernel_sources) sources.emplace_back(source, json(std::string(hash)));
  const std::string unfinished = path + ".new";
  std::ofstream file(unfinished);
  file << json(Members{{"device", json(device_name())},
                       {"date", json(today())},
                       {name, section},
                       {"sources", json(sources)}})
       << "\n";
  file.close();
  if (!file || std::rename(unfinished.c_str(), path.c_str()) != 0) fail("cannot write " + path);
}

}  // namespace gradus::test
