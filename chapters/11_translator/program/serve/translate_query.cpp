#include "11_translator/program/serve/translate_query.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "11_translator/program/options/suggestion.hpp"
#include "gradus/io/lines.hpp"
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

void require_known_members(const Json& json) {
  for (const auto& [name, value] : json.items()) {
    if (std::find(member_names.begin(), member_names.end(), name) != member_names.end()) continue;
    refuse("there is no member " + quoted(name) + did_you_mean(name, member_names));
  }
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

std::vector<std::string> lines_of(const std::string& text, const QueryLimits& limits) {
  std::vector<std::string> lines;
  try {
    lines = split_lines(text, "text");
    require_text(lines, "text, line", line_fault);
  } catch (const HttpError&) {
    throw;
  } catch (const Error& error) {
    refuse(error.what());
  }
  const std::size_t characters = code_points(text).size();
  if (characters > limits.characters) refuse_length("characters", characters, limits.characters);
  if (lines.size() > limits.lines) refuse_length("lines", lines.size(), limits.lines);
  for (std::string& line : lines) line = trimmed(line);
  return lines;
}

TranslateQuery query_of_object(const Json& json, const QueryLimits& limits) {
  require_known_members(json);
  if (!json.contains("text")) refuse(R"(the text is missing: {"text": "A dog runs through the snow."})");
  TranslateQuery query;
  query.lines = lines_of(text_of(json, "text"), limits);
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

}  // namespace

TranslateQuery query_of(const std::string& json, const QueryLimits& limits) {
  if (!is_utf8(json)) refuse("the body is not UTF-8 (byte " + std::to_string(utf8_prefix(json) + 1) + ")");
  const Json object = Json::parse(json, nullptr, false);
  if (!object.is_object()) refuse(R"(the body has to be a JSON object: {"text": "A dog runs through the snow."})");
  return query_of_object(object, limits);
}

TranslateQuery query_of(const std::map<std::string, std::string>& parameters, const QueryLimits& limits) {
  Json object = Json::object();
  for (const auto& [name, text] : parameters) object[name] = value_of(name, text);
  return query_of_object(object, limits);
}

}  // namespace gradus
