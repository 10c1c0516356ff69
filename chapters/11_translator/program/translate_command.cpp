/// \file
/// gradus translate: arguments, a file, a pipe, or a prompt.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>

#include "11_translator/pictures/attention_page.hpp"
#include "11_translator/program/bundled.hpp"
#include "11_translator/program/commands.hpp"
#include "11_translator/program/console.hpp"
#include "11_translator/program/shared_options.hpp"
#include "11_translator/program/warnings.hpp"
#include "11_translator/search_host.hpp"
#include "11_translator/translator.hpp"
#include "gradus/io/atomic_file.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/text/packed_file.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

constexpr std::size_t most_pictures = 50;  // of a page: each weighs some ten kilobytes

struct TranslateRequest {
  std::vector<std::string> sentences;
  std::string input, output, attention, model = default_model();
  bool with_scores = false;
  TranslateOptions options;
  DeviceChoice device = DeviceChoice::automatic;
};

/// One line a translation; only of several translations does it say whose they are. Warns if the sentence deserves it.
std::string report(const std::vector<TranslatedText>& best, std::size_t number, const TranslateRequest& r) {
  warn_about("line " + std::to_string(number), best.front().cut, best.front().unusual);
  std::string text;
  for (const TranslatedText& t : best) {
    if (r.options.n_best > 1) text += std::to_string(number) + '\t';
    char score[32];
    std::snprintf(score, sizeof score, "%.4f\t", t.score);
    if (r.with_scores) text += score;
    text += t.text + '\n';
  }
  return text;
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Writes the pictures of `lines` where --attention says.
void draw_attention(const Translator& translator, std::vector<std::string> lines, const TranslateRequest& r) {
  lines.erase(std::remove(lines.begin(), lines.end(), ""), lines.end());
  const bool svg = ends_with(r.attention, ".svg"), page = !svg && r.attention != "-";
  const std::size_t most = svg ? 1 : page ? most_pictures : lines.size();
  if (lines.empty() && r.attention != "-") console().warn("no sentence, so no picture in " + r.attention);
  if (lines.size() > most) {
    console().warn(r.attention + " shows the first " + (svg ? "sentence" : std::to_string(most) + " sentences"));
    lines.resize(most);
  }
  std::vector<AttentionRecord> records;
  for (const std::string& line : lines) records.push_back(translator.attention(line, r.options));
  if (!svg && !page) {
    for (const AttentionRecord& record : records) std::printf("\n%s", attention_text(record).c_str());
  } else if (!records.empty()) {
    write_atomically(r.attention, svg ? attention_svg(records.front()) : attention_page(records));
  }
}

/// A conversation on a terminal: one sentence, one answer.
void translate_at_prompt(const Translator& translator, const TranslateRequest& request) {
  console().say(invitation(request.model));
  const bool is_page = ends_with(request.attention, ".html");  // it grows; a picture is of the last sentence
  std::vector<std::string> drawn;
  std::string text;
  for (std::size_t number = 1;; ++number) {
    std::fputs("> ", stderr);
    if (!std::getline(std::cin, text)) {
      std::fputs("\n", stderr);  // where Ctrl-D was typed
      return;
    }
    try {
      const std::vector<std::string> lines{single_line(text, "what you typed")};
      if (lines.front().empty()) return;
      const auto best = translator.translate(lines, request.options).front();
      std::fputs(report(best, number, request).c_str(), stdout);
      if (!is_page) drawn.clear();
      drawn.push_back(lines.front());
      if (!request.attention.empty()) draw_attention(translator, drawn, request);
    } catch (const Error& error) {  // a slip of the keyboard must not end the conversation
      console().warn(error.what());
    }
    std::fflush(stdout);
  }
}

/// The shell takes words apart that are not in quotes.
void warn_of_missing_quotes(const std::vector<std::string>& sentences) {
  const auto is_word = [](const std::string& text) { return text.find(' ') == text.npos; };
  if (sentences.size() < 2 || !std::all_of(sentences.begin(), sentences.end(), is_word)) return;
  console().warn("each argument is a sentence of its own; in quotes, \"like this\", they are one");
}

std::vector<std::string> lines_of_arguments(const std::vector<std::string>& sentences) {
  warn_of_missing_quotes(sentences);
  std::vector<std::string> lines;
  for (const std::string& sentence : sentences) {
    lines.push_back(single_line(sentence, "sentence " + std::to_string(lines.size() + 1)));
  }
  return lines;
}

/// The sentences of the arguments, of a file, or of a pipe, which need not have come to its end.
class Sentences {
 public:
  explicit Sentences(const TranslateRequest& r)
      : is_piped_(r.input.empty() && r.sentences.empty()), pipe_(std::cin, "the standard input") {
    if (!r.input.empty() && !r.sentences.empty()) {
      throw UsageError("sentences come either from --input or from the command line");
    }
    if (!is_piped_)
      lines_ = r.input.empty() ? lines_of_arguments(r.sentences) : read_lines(r.input, read_packed_file);
  }

  /// The next ones, at most so many; none at the end.
  std::vector<std::string> next(std::size_t most) {
    if (is_piped_) return pipe_.next(most);
    const auto begin = lines_.begin() + static_cast<std::ptrdiff_t>(given_);
    const std::size_t count = std::min(most, lines_.size() - given_);
    given_ += count;
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
  }

 private:
  bool is_piped_;
  LineStream pipe_;
  std::vector<std::string> lines_;
  std::size_t given_ = 0;
};

/// Prints part after part, so that the first translations need not wait for the last sentence. A file is written whole.
void translate_lines(const Translator& translator, const TranslateRequest& r) {
  Sentences sentences(r);
  const bool prints = r.output.empty();
  const std::size_t lines_a_thread =
      4 * SearchOptions{}.batch_sentences;  // of a part: enough to sort them by length
  const std::size_t most = prints ? lines_a_thread * r.options.threads : std::numeric_limits<std::size_t>::max();
  std::vector<std::string> drawn;
  std::string text;
  std::size_t number = 0;
  for (auto part = sentences.next(most); !part.empty(); part = sentences.next(most)) {
    for (const auto& best : translator.translate(part, r.options)) text += report(best, ++number, r);
    if (!r.attention.empty()) drawn.insert(drawn.end(), part.begin(), part.end());
    if (!prints) continue;
    std::fputs(text.c_str(), stdout);
    flush_results();
    text.clear();
  }
  if (!prints) write_atomically(r.output, text);
  if (!r.attention.empty()) draw_attention(translator, drawn, r);
}

/// What would go wrong after the work is better said before it.
void check_place(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder))
    fail("cannot write " + path + ": there is no folder " + folder.string());
}

void check_files(const TranslateRequest& r) {
  if (!r.attention.empty() && r.attention == r.output)
    throw UsageError("--attention and --output are one file, " + r.output);
  check_place(r.attention);
  check_place(r.output);
}

int run_translate(const TranslateRequest& request) {
  if (request.options.n_best > request.options.beam_size) {
    throw UsageError("--n-best " + std::to_string(request.options.n_best) + " needs a --beam-size as large");
  }
  if (!request.attention.empty() && request.attention != "-" && !ends_with(request.attention, ".svg") &&
      !ends_with(request.attention, ".html")) {
    throw UsageError("--attention wants a name that ends in .html or .svg, or - for the terminal");
  }
  check_files(request);
  const Translator translator = Translator::load(request.model, request.device);
  const bool bare = request.sentences.empty() && request.input.empty();
  if (bare && isatty(STDIN_FILENO) != 0) {
    if (request.output.empty()) {
      translate_at_prompt(translator, request);
      return 0;
    }
    console().say("one sentence a line; Ctrl-D ends");
  }
  translate_lines(translator, request);
  return 0;
}

CLI::App* add_options(CLI::App& app, TranslateRequest& r) {
  CLI::App* c =
      app.add_subcommand("translate", "translate sentences: arguments, a file, lines of the standard input");
  c->footer("The bundled models know photo captions, from English and, with --model de-en, from German. Try\n" +
            caption_examples());
  c->add_option("sentence", r.sentences, "sentences, each in quotes; none: a prompt, or the standard input")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_text_option(*c, "--input", r.input, "sentences, one a line");
  const auto standard_output = [](const std::string& given) { return given == "-" ? "" : given; };
  c->add_option("--output", r.output, "file for the translations [standard output]")
      ->transform(standard_output, "", "");
  add_model_option(*c, r.model);
  add_search_options(*c, r.options);
  add_device_option(*c, r.device);
  c->add_option("--n-best", r.options.n_best, "so many translations of each sentence, numbered by its line")
      ->check(between(1, 100))
      ->capture_default_str();
  c->add_flag("--with-scores", r.with_scores, "each with its score: log probability over the length norm");
  c->add_option("--attention", r.attention, "who looked at whom: FILE.html, FILE.svg, or - for the terminal");
  return c;
}

}  // namespace

Command add_translate(CLI::App& app) {
  const auto request = std::make_shared<TranslateRequest>();
  return {add_options(app, *request), [request] { return run_translate(*request); }};
}

}  // namespace gradus
