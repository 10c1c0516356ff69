#include <histedit.h>
#include <langinfo.h>

#include <clocale>
#include <cstring>
#include <utility>

#include "app/terminal/line_editor.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

constexpr int most_remembered = 1000;

/// libedit decodes characters by the locale, and sentences are UTF-8.
void choose_utf8() {
  std::setlocale(LC_CTYPE, "");
  if (std::strcmp(nl_langinfo(CODESET), "UTF-8") != 0) std::setlocale(LC_CTYPE, "C.UTF-8");
}

class Libedit final : public LineEditor {
 public:
  Libedit(std::FILE* screen, std::string prompt) : prompt_(std::move(prompt)) {
    choose_utf8();
    editor_ = el_init("gradus", stdin, screen, screen);
    history_ = history_init();
    if (editor_ == nullptr || history_ == nullptr) fail("the keyboard cannot be read");
    HistEvent event;
    history(history_, &event, H_SETSIZE, most_remembered);
    history(history_, &event, H_SETUNIQUE, 1);  // equal lines in a row are stored once
    el_set(editor_, EL_CLIENTDATA, this);
    el_set(editor_, EL_PROMPT, &Libedit::prompt_of);
    el_set(editor_, EL_EDITOR, "emacs");
    el_set(editor_, EL_SIGNAL, 1);  // Ctrl-C and Ctrl-Z restore the terminal
    el_set(editor_, EL_HIST, history, history_);
    el_set(editor_, EL_BIND, "^R", "em-inc-search-prev", nullptr);
    // Ctrl-D that was typed while a sentence was translated arrives as a NUL.
    el_set(editor_, EL_BIND, "^@", "em-delete-or-list", nullptr);
    el_source(editor_, nullptr);  // the user's ~/.editrc
  }
  Libedit(const Libedit&) = delete;
  Libedit& operator=(const Libedit&) = delete;
  ~Libedit() override {
    history_end(history_);
    el_end(editor_);
  }

  std::optional<std::string> read() override {
    int count = 0;
    const char* const typed = el_gets(editor_, &count);
    if (typed == nullptr || count <= 0) return std::nullopt;
    std::string line(typed, static_cast<std::size_t>(count));
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
    HistEvent event;
    if (!line.empty()) history(history_, &event, H_ENTER, line.c_str());
    return line;
  }

 private:
  static char* prompt_of(EditLine* editor) {
    Libedit* self = nullptr;
    el_get(editor, EL_CLIENTDATA, &self);
    return self->prompt_.data();
  }

  std::string prompt_;
  EditLine* editor_ = nullptr;
  History* history_ = nullptr;
};

}  // namespace

std::unique_ptr<LineEditor> make_line_editor(std::FILE* screen, const std::string& prompt) {
  return std::make_unique<Libedit>(screen, prompt);
}

}  // namespace gradus
