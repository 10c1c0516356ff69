#include "11_translator/program/serve/translate_query.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "11_translator/program/options/suggestion.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/io/strict_json.hpp"
#include "gradus/io/utf8.hpp"
#include "gradus/text/incoming_lines.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse(const std::string& why) { throw HttpError(400, why); }
[[noreturn]] void refuse_length(const std::string& what, std::size_t is, std::size_t most) {
  throw HttpError(413, "the text has " + std::to_string(is) + " " + what + "; this server takes " +
                           std::to_string(most) + " at a time");
}

const std::vector<std::string> member_names = {"text", "direction", "beam", "n_best", "attention", "explain"};

/// `kind`: "member" or "parameter".
void require_known(const std::string& name, const std::string& kind) {
  if (std::find(member_names.begin(), member_names.end(), name) != member_names.end()) return;
  refuse("there is no " + kind + " " + quoted(name) + did_you_mean(name, member_names));
}

std::string text_of(const Json& json, const char* name) {
  if (!json.contains(name)) return "";
  if (!json[name].is_string()) refuse(std::string(name) + " has to be a string");
  return json[name].get<std::string>();
}

bool flag_of(const Json& json, const char* name) {
  if (!json.contains(name)) return false;
  if (!json[name].is_boolean()) refuse(std::string(name) + " has to be true or false");
  return json[name].get<bool>();
}

std::size_t number_of(const Json& json, const char* name, std::size_t standard, std::size_t most) {
  if (!json.contains(name)) return standard;
  if (json[name].is_number_unsigned()) {
    const auto value = json[name].get<std::uint64_t>();
    if (value >= 1 && value <= most) return static_cast<std::size_t>(value);
  }
  refuse(std::string(name) + " has to be a whole number from 1 to " + std::to_string(most));
}

std::vector<std::string> lines_of(const std::string& text, const std::string& name) {
  std::vector<std::string> lines;
  try {
    lines = split_lines(text, name);
    require_text(lines, name + ", line", line_fault);
  } catch (const Error& error) {
    refuse(error.what());
  }
  for (std::string& line : lines) line = trimmed(line);
  return lines;
}

std::vector<std::string> texts_of(const Json& text) {
  if (!text.is_array()) return {text_of({{"text", text}}, "text")};
  std::vector<std::string> texts;
  for (const Json& one : text) {
    if (!one.is_string()) refuse("text " + std::to_string(texts.size() + 1) + " has to be a string");
    texts.push_back(one.get<std::string>());
  }
  return texts;
}

/// Fills the lines from the member `text`, a string or a list of strings.
void add_lines(TranslateQuery& query, const Json& text, const QueryLimits& limits) {
  const std::vector<std::string> texts = texts_of(text);
  if (text.is_array()) query.list.emplace();
  std::size_t characters = 0, counted = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto lines = lines_of(texts[i], text.is_array() ? "text " + std::to_string(i + 1) : "text");
    characters += code_points(texts[i]).size();
    counted += std::max<std::size_t>(1, lines.size());
    query.lines.insert(query.lines.end(), lines.begin(), lines.end());
    if (query.list) query.list->push_back(lines.size());
  }
  if (characters > limits.characters) refuse_length("characters", characters, limits.characters);
  if (counted > limits.lines) refuse_length("lines", counted, limits.lines);
}

TranslateQuery query_of_object(const Json& json, const QueryLimits& limits) {
  if (!json.contains("text")) refuse(R"(the text is missing: {"text": "A dog runs through the snow."})");
  TranslateQuery query;
  add_lines(query, json["text"], limits);
  query.direction = text_of(json, "direction");
  query.beam = number_of(json, "beam", std::min(query.beam, limits.beam), limits.beam);
  query.n_best = number_of(json, "n_best", 1, query.beam);
  query.attention = flag_of(json, "attention");
  query.explain = flag_of(json, "explain");
  return query;
}

/// The JSON value for a value of the query string: a number, or true or false, for the members of these types.
Json value_of(const std::string& name, const std::string& text) {
  if (name == "text" || name == "direction") return text;
  const Json value = Json::parse(text, nullptr, false);
  return value.is_discarded() ? Json(text) : value;
}

/// The value of a hexadecimal digit; -1 for another character.
int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char small = static_cast<char>(c | 0x20);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

/// "A+dog%21" is "A dog!".
std::string decoded(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '%';
    const int high = escape && i + 2 < text.size() ? digit(text[i + 1]) : -1;
    const int low = high >= 0 ? digit(text[i + 2]) : -1;
    if (escape && low < 0)
      refuse("in the address, two hexadecimal digits have to follow %, and not " + quoted(text.substr(i, 3)));
    bytes += escape ? static_cast<char>(16 * high + low) : text[i] == '+' ? ' ' : text[i];
    if (escape) i += 2;
  }
  return bytes;
}

/// Names and values of a query string, in its order.
std::vector<std::pair<std::string, std::string>> parameters_of(const std::string& query) {
  std::vector<std::pair<std::string, std::string>> parameters;
  for (std::size_t begin = 0, end = 0; begin < query.size(); begin = end + 1) {
    end = std::min(query.find('&', begin), query.size());
    const std::string one = query.substr(begin, end - begin);
    const std::size_t equals = std::min(one.find('='), one.size());
    if (!one.empty())
      parameters.emplace_back(decoded(one.substr(0, equals)),
                              decoded(one.substr(std::min(equals + 1, one.size()))));
  }
  return parameters;
}

}  // namespace

TranslateQuery query_of_body(const std::string& json, const QueryLimits& limits) {
  constexpr std::size_t deepest = 3;
  const std::string wanted = R"(the body has to be a JSON object: {"text": "A dog runs through the snow."})";
  if (!is_utf8(json)) refuse("the body is not UTF-8 (byte " + std::to_string(utf8_prefix(json) + 1) + ")");
  try {
    check_json(json, deepest);
  } catch (const Error& error) {
    refuse(wanted + "; this one: " + error.what());
  }
  const Json object = Json::parse(json);
  if (!object.is_object()) refuse(wanted);
  for (const auto& [name, value] : object.items()) require_known(name, "member");
  return query_of_object(object, limits);
}

TranslateQuery query_of_address(const std::string& query, const QueryLimits& limits) {
  Json object = Json::object();
  for (const auto& [name, text] : parameters_of(query)) {
    require_known(name, "parameter");
    if (object.contains(name)) refuse("the parameter " + quoted(name) + " comes twice");
    object[name] = value_of(name, text);
  }
  return query_of_object(object, limits);
}

void require_no_parameters(const std::string& query, const std::string& where) {
  std::string names;
  for (const auto& [name, text] : parameters_of(query)) names += (names.empty() ? "" : ", ") + quoted(name);
  if (!names.empty()) refuse(where + " takes no parameters in its address, and this one has " + names);
}

}  // namespace gradus
