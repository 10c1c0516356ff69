#include "app/answers/prompt.hpp"

#include <unistd.h>

#include <iostream>

#include "app/answers/answer.hpp"
#include "app/answers/attention_file.hpp"
#include "app/answers/paragraphs.hpp"
#include "app/answers/warnings.hpp"
#include "app/models/known_models.hpp"
#include "app/terminal/console.hpp"
#include "app/terminal/line_editor.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/io/normal_text.hpp"
#include "gradus/text/incoming_lines.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

/// The typed lines: with an editor if there is one and the terminal shows its output, else unedited.
class Keyboard {
 public:
  Keyboard() {
    std::FILE* const screen = isatty(STDERR_FILENO) != 0 ? stderr : isatty(STDOUT_FILENO) != 0 ? stdout : nullptr;
    if (screen != nullptr && terminal_obeys()) editor_ = make_line_editor(screen, prompt);
  }

  /// The next line; no value after Ctrl-D.
  std::optional<std::string> read() {
    std::optional<std::string> line;
    if (editor_ != nullptr) {
      line = editor_->read();
    } else {
      std::fputs(prompt, stderr);
      std::string text;
      if (std::getline(std::cin, text)) line = text;
    }
    if (!line) std::fputs("\n", stderr);  // ends the line on which Ctrl-D was typed
    return line;
  }

 private:
  static constexpr const char* prompt = "> ";
  std::unique_ptr<LineEditor> editor_;
};

/// One line in the form to translate, without spaces at its ends. Throws Error if it is no valid sentence.
std::string sentence_of(const std::string& typed) { return trimmed(typed_sentence(typed, "what you typed")); }

void answer_to_paragraph(const Translator& translator, RunningText& text, const std::string& line,
                         const TranslateOptions& options) {
  const auto paragraph = translate_paragraphs(translator, text, {line}, {"this text"}, options).front();
  for (const auto& warnings : paragraph.warnings) warn_about(warnings);
  std::fputs((paragraph.text + '\n').c_str(), stdout);
  flush_results();
}

}  // namespace

void translate_at_prompt(const Translator& translator, const TranslateRequest& request) {
  console().say(invitation(request.model));
  std::vector<std::string> drawn;
  Keyboard keyboard;
  std::size_t number = 0;
  RunningText running;
  while (const std::optional<std::string> typed = keyboard.read()) {
    try {
      const std::string line = sentence_of(*typed);
      if (line == "exit" || line == "quit") return;
      if (trimmed(normal_text(line)).empty()) continue;
      if (request.paragraphs) {
        answer_to_paragraph(translator, running, line, request.options);
        continue;
      }
      const auto best = translator.translate({line}, request.options).front();
      const auto warnings = translation_warnings("this sentence", line, best.front());
      if (!request.json) warn_about(warnings);
      std::fputs(answer(request, ++number, line, best, warnings).c_str(), stdout);
      if (!is_attention_page(request.attention)) drawn.clear();  // a page grows; a picture shows the last sentence
      drawn.push_back(line);
      if (!request.attention.empty()) draw_attention(translator, drawn, request);
    } catch (const Error& error) {  // a typing mistake must not end the conversation
      console().warn(error.what());
    }
    flush_results();
  }
}

}  // namespace gradus
