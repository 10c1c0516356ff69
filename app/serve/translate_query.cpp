#include "app/serve/translate_query.hpp"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/options/suggestion.hpp"
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

/// For each_member: the names, and those of numbers and flags.
struct MemberNames {
  std::vector<std::string> all{"text"}, numbers, flags;
  MemberNames() {
    ServeOptions any;
    each_member(any, any.search.beam_size, *this);
  }
  void word(const char* name, const std::string&) { all.emplace_back(name); }
  void number(const char* name, std::size_t, std::size_t) { all.emplace_back(name), numbers.emplace_back(name); }
  void flag(const char* name, bool) { all.emplace_back(name), flags.emplace_back(name); }
};

const MemberNames& member_names() {
  static const MemberNames names;
  return names;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// `kind`: "member" or "parameter".
void require_known(const std::string& name, const std::string& kind) {
  const std::vector<std::string>& names = member_names().all;
  if (contains(names, name)) return;
  std::string hint = did_you_mean(name, names), all;
  for (const std::string& known : names) all += (all.empty() ? "; there are " : ", ") + known;
  refuse("there is no " + kind + " " + quoted(name) + (hint.empty() ? all : hint));
}

/// The beginning of a value, as JSON.
std::string shown(const Json& value) {
  constexpr std::size_t longest = 40;
  const std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() <= longest ? text : text.substr(0, longest) + "...";
}

[[noreturn]] void refuse_value(const std::string& name, const Json& value, const std::string& wanted) {
  refuse(name + " is " + shown(value) + ", and has to be " + wanted);
}

std::string string_of(const Json& value, const std::string& name, const std::string& wanted = "a string") {
  if (!value.is_string()) refuse_value(name, value, wanted);
  return value.get<std::string>();
}

/// For each_member: reads the members of an object, and leaves a value that it lacks, or lowers it to the most.
struct MemberReader {
  const Json& json;

  void word(const char* name, std::string& value) const {
    if (!json.contains(name)) return;
    value = string_of(json[name], name);
    if (value.empty()) refuse(std::string(name) + " is empty; leave it out, or name one");
  }
  void number(const char* name, std::size_t& value, std::size_t most) const {
    if (!json.contains(name)) {
      value = std::min(value, most);
      return;
    }
    const Json& given = json[name];
    const auto number = given.is_number_unsigned() ? given.get<std::uint64_t>() : 0;
    if (number < 1 || number > most) refuse_value(name, given, "a whole number from 1 to " + std::to_string(most));
    value = static_cast<std::size_t>(number);
  }
  void flag(const char* name, bool& value) const {
    if (!json.contains(name)) return;
    if (!json[name].is_boolean()) refuse_value(name, json[name], "true or false");
    value = json[name].get<bool>();
  }
};

std::vector<std::string> lines_of(const std::string& text, const std::string& name) {
  std::vector<std::string> lines;
  try {
    lines = split_lines(with_line_feeds(text), name);
    require_text(lines, name + ", line", line_fault);
  } catch (const Error& error) {
    refuse(error.what());
  }
  return lines;
}

std::vector<std::string> texts_of(const Json& text) {
  if (!text.is_array()) return {string_of(text, "text", "a string or a list of strings")};
  std::vector<std::string> texts;
  for (const Json& one : text) texts.push_back(string_of(one, "text " + std::to_string(texts.size() + 1)));
  return texts;
}

/// The parts of a text, with a line feed between two lines.
std::vector<TextPart> parts_of(const std::vector<std::string>& lines, const KeepsCopied& keeps = {}) {
  RunningText text;
  std::vector<TextPart> all;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) all.push_back({"\n", true});
    for (TextPart& part : text.parts(lines[i], keeps)) all.push_back(std::move(part));
  }
  return all;
}

std::vector<std::string> to_translate(const std::vector<TextPart>& parts) {
  std::vector<std::string> sentences;
  for (const TextPart& part : parts)
    if (!part.is_copied) sentences.push_back(part.text);
  return sentences;
}

/// The sentences of a text: its lines, or the parts of these.
std::vector<std::string> sentences_of(TranslateQuery& query, std::vector<std::string> lines) {
  if (!query.options.paragraphs) {
    if (lines.empty()) lines.emplace_back();  // an empty text is an empty sentence
    for (std::string& line : lines) line = trimmed(line);
    return lines;
  }
  query.texts.push_back(parts_of(lines));
  return to_translate(query.texts.back());
}

/// Fills the lines from the member `text`, a string or a list of strings.
void add_lines(TranslateQuery& query, const Json& text, const QueryLimits& limits) {
  const std::vector<std::string> texts = texts_of(text);
  if (text.is_array()) query.list.emplace();
  std::size_t characters = 0, counted = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto lines =
        sentences_of(query, lines_of(texts[i], text.is_array() ? "text " + std::to_string(i + 1) : "text"));
    characters += code_points(texts[i]).size();
    counted += std::max<std::size_t>(1, lines.size());
    query.lines.insert(query.lines.end(), lines.begin(), lines.end());
    if (query.list) query.list->push_back(lines.size());
  }
  if (characters > limits.characters) refuse_length("characters", characters, limits.characters);
  if (counted > limits.lines) refuse_length("lines", counted, limits.lines);
}

/// `example`: a request that has a text, in the form of this one.
TranslateQuery query_of_object(const Json& json, const QueryLimits& limits, const std::string& example) {
  if (!json.contains("text")) refuse("the text is missing: " + example);
  TranslateQuery query;
  query.options.search = limits.standard;
  each_member(query.options, limits.beam, MemberReader{json});
  add_lines(query, json["text"], limits);
  return query;
}

/// The JSON value for a value of the query string: a number of a few digits, or true or false, for the members of these types; else a
/// string.
Json value_of(const std::string& name, const std::string& text) {
  constexpr std::size_t most_digits = 18;
  const bool is_number = text.find_first_not_of("0123456789") == text.npos && text.size() <= most_digits &&
                         (text[0] != '0' || text.size() == 1);
  if (contains(member_names().numbers, name) && !text.empty() && is_number) return std::stoull(text);
  if (contains(member_names().flags, name) && (text == "true" || text == "false")) return text == "true";
  return text;
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

struct Parameter {
  std::string name;
  std::optional<std::string> value;  ///< none without =
};

/// The parameters of a query string, in its order.
std::vector<Parameter> parameters_of(const std::string& query) {
  std::vector<Parameter> parameters;
  for (std::size_t begin = 0, end = 0; begin < query.size(); begin = end + 1) {
    end = std::min(query.find('&', begin), query.size());
    const std::string one = query.substr(begin, end - begin);
    const std::size_t equals = one.find('=');
    if (!one.empty()) parameters.push_back({decoded(one.substr(0, equals)), {}});
    if (equals != one.npos) parameters.back().value = decoded(one.substr(equals + 1));
  }
  return parameters;
}

}  // namespace

TranslateQuery query_of_body(const std::string& json, const QueryLimits& limits) {
  constexpr std::size_t deepest = 3;
  const std::string example = R"({"text": "A dog runs through the snow."})";
  const std::string wanted = "the body has to be a JSON object: " + example;
  if (!is_utf8(json)) refuse("the body is not UTF-8 (byte " + std::to_string(utf8_prefix(json) + 1) + ")");
  if (json.empty()) refuse(wanted + "; this request has none, or does not say its length (Content-Length)");
  try {
    check_json(json, deepest);
  } catch (const Error& error) {
    const std::string fault = error.what();
    refuse(fault.rfind("not JSON", 0) == 0 ? wanted + "; this one: " + fault : "the body: " + fault);
  }
  const Json object = Json::parse(json);
  if (!object.is_object()) refuse(wanted);
  for (const auto& [name, value] : object.items()) require_known(name, "member");
  return query_of_object(object, limits, example);
}

TranslateQuery query_of_address(const std::string& query, const QueryLimits& limits) {
  Json object = Json::object();
  for (const auto& [name, value] : parameters_of(query)) {
    require_known(name, "parameter");
    if (object.contains(name)) refuse("the parameter " + quoted(name) + " comes twice");
    if (!value) refuse("the parameter " + quoted(name) + " has no value; write " + name + "=...");
    object[name] = value_of(name, *value);
  }
  return query_of_object(object, limits, "/translate?text=A+dog+runs+through+the+snow.");
}

TranslateQuery with_whole_sentences(TranslateQuery query, const KeepsCopied& keeps) {
  query.lines.clear();
  for (std::size_t i = 0; i < query.texts.size(); ++i) {
    std::string text;
    for (const TextPart& part : query.texts[i]) text += part.text;
    query.texts[i] = parts_of(split_lines(text, "text"), keeps);
    const std::vector<std::string> lines = to_translate(query.texts[i]);
    query.lines.insert(query.lines.end(), lines.begin(), lines.end());
    if (query.list) (*query.list)[i] = lines.size();
  }
  return query;
}

void require_no_parameters(const std::string& query, const std::string& where) {
  std::string names;
  for (const auto& [name, value] : parameters_of(query)) names += (names.empty() ? "" : ", ") + quoted(name);
  if (!names.empty()) refuse(where + " takes no parameters in its address, and this one has " + names);
}

}  // namespace gradus
