#include "11_translator/translator/translate_options.hpp"

#include <nlohmann/json.hpp>

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

struct Writer {
  Json& json;
  template <class Value>
  void option(const Value& value, const TranslateOption& text) const {
    json[text.name] = value;
  }
  void flag(bool value, const char* name) const { json[name] = value; }
};

struct Reader {
  const Json& json;
  template <class Value>
  void option(Value& value, const TranslateOption& text) const {
    json.at(text.name).get_to(value);
  }
  void flag(bool& value, const char* name) const { json.at(name).get_to(value); }
};

}  // namespace

std::string to_text(const TranslateOptions& options) {
  Json json;
  each_option(options, Writer{json});
  return json.dump();
}

TranslateOptions translate_options(const std::string& text) {
  const Json json = Json::parse(text);
  TranslateOptions options;
  each_option(options, Reader{json});
  return options;
}

}  // namespace gradus
