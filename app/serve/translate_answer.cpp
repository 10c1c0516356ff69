#include "app/serve/translate_answer.hpp"

#include <nlohmann/json.hpp>

#include "app/answers/inside_json.hpp"
#include "app/answers/paragraphs.hpp"
#include "app/answers/translation_json.hpp"

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse_length(std::size_t most) {
  throw HttpError(413, "the answer would have more than " + std::to_string(most) +
                           " bytes; ask for fewer lines, or without attention and explain");
}

/// Makes the objects of the lines one by one, and keeps only their text, because the values take many times its memory.
class Answer {
 public:
  Answer(const Translator& translator, const TranslateQuery& query, const AnswerLimits& limits)
      : translator_(translator), query_(query), limits_(limits), options_(query.options.search) {
    options_.with_tokens = true;
    options_.between_steps = limits.check;
    // Attention and steps come from searches of one line. A search of several may round otherwise, and find another translation.
    if (!looks_inside()) found_ = translator.translate(query.lines, options_);
  }

  /// The list of the lines from `first` on.
  std::string sentences(std::size_t first, std::size_t count) {
    std::string text;
    for (std::size_t i = first; i < first + count; ++i) {
      text += (text.empty() ? "" : ",") + json_line(sentence(i, i - first + 1));
      if (bytes_ + text.size() > limits_.bytes) refuse_length(limits_.bytes);
    }
    bytes_ += text.size();
    return "[" + text + "]";
  }

  /// The members of a text whose lines begin at `first`.
  std::string members(std::size_t text, std::size_t first, std::size_t count) {
    std::string list = R"("sentences":)" + sentences(first, count);
    if (!query_.options.paragraphs) return list;
    std::vector<TextPart> parts = query_.texts[text];
    for (TextPart& part : parts)
      if (!part.is_copied) part.text = translations_[first++];
    const std::string joined = joined_parts(parts);
    bytes_ += joined.size();
    if (bytes_ > limits_.bytes) refuse_length(limits_.bytes);
    return list + R"(,"text":)" + json_line(joined);
  }

 private:
  bool looks_inside() const { return query_.options.attention || query_.options.explain; }

  Json sentence(std::size_t i, std::size_t number) {
    limits_.check();
    const std::string& line = query_.lines[i];
    const auto best = looks_inside() ? translator_.translate({line}, options_).front() : std::move(found_[i]);
    translations_.push_back(best.front().text);
    Json one{{"line", number}};
    one.update(
        translation_json(line, best, translation_warnings("line " + std::to_string(number), line, best.front())));
    if (best.front().tokens.empty()) return one;
    if (query_.options.attention) one["attention"] = attention(line, best.front());
    if (query_.options.explain) one["steps"] = steps_json(translator_.explain(line, options_).steps);
    return one;
  }

  Json attention(const std::string& line, const TranslatedText& best) const {
    constexpr std::size_t bytes_of_number = 6;  // "0.123,"
    const AttentionMaps maps = translator_.attention(line, options_).cross;
    if (bytes_ + bytes_of_number * maps.weights.size() > limits_.bytes) refuse_length(limits_.bytes);
    return attention_json(maps, best);
  }

  const Translator& translator_;
  const TranslateQuery& query_;
  const AnswerLimits& limits_;
  TranslateOptions options_;
  std::vector<std::vector<TranslatedText>> found_;
  std::vector<std::string> translations_;  // the best of each line so far
  std::size_t bytes_ = 0;
};

}  // namespace

std::string translate_answer(const Translator& translator, const TranslateQuery& query,
                             const std::string& direction, const AnswerLimits& limits) {
  TranslateOptions options = query.options.search;
  options.between_steps = limits.check;
  const TranslateQuery cut =
      query.options.paragraphs ? with_whole_sentences(query, keeps_copied(translator, options)) : query;
  Answer answer(translator, cut, limits);
  const std::string begin = R"({"direction":)" + json_line(direction) + ",";
  if (!cut.list) return begin + answer.members(0, 0, cut.lines.size()) + "}";
  std::string all;
  std::size_t first = 0, text = 0;
  for (const std::size_t count : *cut.list) {
    all += (all.empty() ? "" : ",") + begin + answer.members(text++, first, count) + "}";
    first += count;
  }
  return "[" + all + "]";
}

}  // namespace gradus
