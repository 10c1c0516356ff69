/// \file
/// gradus translate: sentences from arguments, a file, a pipe, or a prompt.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>

#include "app/answers/answer.hpp"
#include "app/answers/attention_file.hpp"
#include "app/answers/paragraphs.hpp"
#include "app/answers/prompt.hpp"
#include "app/answers/translate_request.hpp"
#include "app/answers/warnings.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/help_of_ranks.hpp"
#include "app/options/shared_options.hpp"
#include "app/terminal/console.hpp"
#include "gradus/io/descriptor.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/io/own_file.hpp"
#include "gradus/ranks/world.hpp"
#include "gradus/text/incoming_lines.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/plural.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

/// The shell splits words that are not in quotes.
void warn_of_missing_quotes(const std::vector<std::string>& sentences) {
  const auto is_word = [](const std::string& text) { return text.find(' ') == text.npos; };
  if (sentences.size() < 2 || !std::all_of(sentences.begin(), sentences.end(), is_word)) return;
  console().warn("each argument is a sentence of its own; in quotes, \"like this\", they are one");
}

/// The lines of an argument, which are those that a file with its text would have.
void add_lines(std::vector<IncomingLine>& lines, std::string_view text) {
  std::size_t begin = 0;
  do {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const bool has_return = end < text.size() && end > begin && text[end - 1] == '\r';
    lines.push_back(typed_line(text.substr(begin, end - begin - (has_return ? 1 : 0))));
    begin = end + 1;
  } while (begin < text.size());
}

std::vector<IncomingLine> lines_of_arguments(const std::vector<std::string>& sentences) {
  warn_of_missing_quotes(sentences);
  const auto is_file = std::find_if(sentences.begin(), sentences.end(), is_name_of_file);
  if (is_file != sentences.end())
    console().warn(printable(*is_file) + " is the name of a file; --input " + printable(*is_file) +
                   " translates its lines");
  std::vector<IncomingLine> lines;
  for (const std::string& sentence : sentences) add_lines(lines, sentence);
  return lines;
}

/// A line, and its place for messages.
struct Sentence {
  IncomingLine line;
  std::string origin;      ///< a file; empty: the arguments
  std::size_t number = 0;  ///< of the line there, counted from 1
};

/// The sentences of the arguments, of files one after the other, or of a pipe that may still be open.
class Sentences {
 public:
  explicit Sentences(const TranslateRequest& r) : inputs_(r.inputs) {
    const bool is_dash = r.sentences == std::vector<std::string>{"-"};  // for many programs the standard input
    if (!r.sentences.empty() && !is_dash) {
      arguments_ = lines_of_arguments(r.sentences);
    } else if (inputs_.empty()) {
      open(STDIN_FILENO, "the standard input");
    } else {
      for (const std::string& path : inputs_) {  // what is missing is reported before the work
        if (::access(path.c_str(), R_OK) != 0) fail_system("read", path);
      }
      open_next();
    }
  }

  /// The next sentences, at most `most`; none at the end.
  std::vector<Sentence> next(std::size_t most) {
    std::vector<IncomingLine> lines;
    while (incoming_ != nullptr && lines.empty()) {
      lines = incoming_->next(most);
      if (lines.empty() && !open_next()) break;
    }
    for (; incoming_ == nullptr && lines.size() < most && number_ + lines.size() < arguments_.size();)
      lines.push_back(arguments_[number_ + lines.size()]);
    std::vector<Sentence> sentences;
    for (IncomingLine& line : lines) sentences.push_back({std::move(line), origin_, ++number_});
    return sentences;
  }

 private:
  void open(int descriptor, const std::string& origin) {
    origin_ = origin;
    number_ = 0;
    incoming_ = std::make_unique<IncomingLines>(descriptor, origin_);
  }

  /// Goes on with the next file. False if there is none.
  bool open_next() {
    if (opened_ == inputs_.size()) return false;
    const std::string& path = inputs_[opened_++];
    file_ = std::make_unique<Descriptor>(path, O_RDONLY);
    if (!*file_) fail_system("read", path);
    open(file_->get(), path == "/dev/stdin" ? "the standard input" : path);
    return true;
  }

  std::vector<std::string> inputs_;
  std::size_t opened_ = 0, number_ = 0;
  std::string origin_;
  std::unique_ptr<Descriptor> file_;
  std::unique_ptr<IncomingLines> incoming_;
  std::vector<IncomingLine> arguments_;
};

/// Translates part after part. A line that is no valid sentence gets a message, and an empty line as its answer.
class LineTranslator {
 public:
  LineTranslator(const Translator& translator, const TranslateRequest& request)
      : translator_(translator), request_(request), sentences_(request) {}

  /// The answers to the next lines; none at the end.
  std::string next() {
    const std::vector<Sentence> lines = sentences_.next(most_lines(request_, translator_.ranks().size()));
    std::vector<std::string> sources;
    for (const Sentence& sentence : lines) sources.push_back(sentence.line.text);
    if (request_.paragraphs) return answer_to_paragraphs(lines, sources);
    const auto found = translator_.translate(sources, request_.options);
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i) text += answer_to(lines[i], found[i]);
    if (!request_.attention.empty()) drawn_.insert(drawn_.end(), sources.begin(), sources.end());
    return text;
  }

  const std::vector<std::string>& drawn() const { return drawn_; }
  bool had_faults() const { return faults_ != 0; }
  void end() {
    const std::string hint = request_.paragraphs ? "" : "; --json names them all";  // refused beside --paragraphs
    warnings_.end(hint);
    if (faults_ <= WarningList::most) return;
    const std::size_t more = faults_ - WarningList::most;
    console().complain(plural(more, "more line") + (more == 1 ? " is" : " are") + " no text" + hint);
  }

 private:
  std::string answer_to_paragraphs(const std::vector<Sentence>& lines, const std::vector<std::string>& sources) {
    if (!lines.empty() && lines.front().number == 1) running_ = {};  // no code goes on in the next file
    std::vector<std::string> names;
    for (const Sentence& sentence : lines) names.push_back(name_of_line(sentence));
    const auto found = translate_paragraphs(translator_, running_, sources, names, request_.options);
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      ++number_;
      if (!lines[i].line.fault.empty()) complain_of(lines[i]);
      for (const auto& warnings : found[i].warnings) warnings_.add(warnings);
      text += found[i].text + '\n';
    }
    return text;
  }

  /// With its file, if there are several.
  std::string name_of_line(const Sentence& sentence) const {
    return (request_.inputs.size() > 1 ? sentence.origin + ", " : "") + "line " + std::to_string(sentence.number);
  }

  void complain_of(const Sentence& sentence) {
    const std::string number = std::to_string(sentence.number);
    const std::string which = sentence.origin.empty() ? "sentence " + number : sentence.origin + ", line " + number;
    if (++faults_ <= WarningList::most)
      console().complain(which + ": " + sentence.line.fault + "; its answer is an empty line");
  }

  std::string answer_to(const Sentence& sentence, const std::vector<TranslatedText>& best) {
    const IncomingLine& line = sentence.line;
    ++number_;
    if (!line.fault.empty()) {
      complain_of(sentence);
      return answer_to_fault(request_, number_, line.fault);
    }
    if (line.text.find('\r') != line.text.npos) tell_of_returns(sentence);
    const auto warnings = translation_warnings(name_of_line(sentence), line.text, best.front());
    if (!request_.json) warnings_.add(warnings);
    return answer(request_, number_, line.text, best, warnings);
  }

  /// Of the first line of each file: all its lines may have them.
  void tell_of_returns(const Sentence& sentence) {
    if (sentence.origin.empty() || sentence.origin == with_returns_) return;
    with_returns_ = sentence.origin;
    console().warn(hint_at_returns(sentence.number, sentence.origin));
  }

  const Translator& translator_;
  const TranslateRequest& request_;
  Sentences sentences_;
  std::string with_returns_;  // the last file that has a line with carriage returns
  WarningList warnings_;
  RunningText running_;
  std::vector<std::string> drawn_;
  std::size_t number_ = 0, faults_ = 0;  // lines so far, and those that were no text
};

/// Prints part after part, so that the first translations do not wait for the last sentence. An output file is
/// written as a whole.
int translate_lines(const Translator& translator, const TranslateRequest& r) {
  LineTranslator lines(translator, r);
  std::string whole;
  for (std::string part = lines.next(); !part.empty(); part = lines.next()) {
    if (!r.output.empty()) {
      whole += part;
      continue;
    }
    std::fputs(part.c_str(), stdout);
    flush_results();
  }
  if (!r.output.empty()) write_parts_atomically(r.output, {whole}, links_at(r.output, {r.model}));
  lines.end();
  if (!r.attention.empty()) draw_attention(translator, lines.drawn(), r);
  return lines.had_faults() ? 1 : 0;
}

int translate(const Translator& translator, const TranslateRequest& request) {
  const bool bare = request.sentences.empty() && request.inputs.empty();
  if (bare && isatty(STDIN_FILENO) != 0) {
    if (request.output.empty()) {
      translate_at_prompt(translator, request);
      return 0;
    }
    console().say("one sentence a line; Ctrl-D ends");
  }
  return translate_lines(translator, request);
}

/// Rank 0 reads and prints; the other ranks translate their share of its lines.
int run_translate(TranslateRequest& request) {
  Ranks& ranks = world();
  if (request.output == "-") request.output.clear();  // the standard output
  on_first(ranks, [&] { check(request); });
  request.options.with_tokens = request.json || request.alignment;
  const Translator translator = load_on_all(ranks, request.model, request.device, request.weights, request.options);
  return with_help(ranks, translator, request.options.threads,
                   [&](const Translator& shared) { return translate(shared, request); });
}

void add_output_options(CLI::App& c, TranslateRequest& r) {
  add_options_of(c, r.options, {Commands::translate});
  c.add_flag("--paragraphs", r.paragraphs,
             "lines are paragraphs: their sentences are translated one by one; addresses and code stay");
  c.add_flag("--with-scores", r.with_scores, "each with its score: log probability over the length norm");
  c.add_flag("--alignment", r.alignment, "each with its aligned words behind a tab: 0-0 1-2, source-translation");
  c.add_flag("--json", r.json, "a line of JSON for each sentence: scores, tokens, alignment, warnings");
  c.add_option("--attention", r.attention, "a picture of attention: FILE.html, FILE.svg, or - for the terminal")
      ->type_name("FILE");
}

CLI::App* add_options(CLI::App& app, TranslateRequest& r) {
  CLI::App* c =
      app.add_subcommand("translate", "translate sentences: arguments, a file, lines of the standard input");
  c->footer("The bundled models know photo captions, from English and, with --model de-en, from German. Try\n" +
            caption_examples());
  c->add_option("sentence", r.sentences, "sentences, each in quotes; none: a prompt, or the standard input")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_text_options(*c, "--input", r.inputs, "sentences, one a line; several files in their order")
      ->expected(1)
      ->allow_extra_args(false);
  c->add_option("--output", r.output, "file for the translations [standard output]")->type_name("FILE");
  c->add_option("--buffer", r.buffer, "most lines at a time; fewer where lines come slowly")
      ->check(between(1, 1e6))
      ->default_str("192 for each thread");
  add_model_option(*c, r.model);
  add_search_options(*c, r.options);
  add_device_option(*c, r.device);
  add_int8_option(*c, r.weights);
  add_output_options(*c, r);
  return c;
}

}  // namespace

Command add_translate(CLI::App& app) {
  const auto request = std::make_shared<TranslateRequest>();
  return {add_options(app, *request), [request] { return run_translate(*request); }, true};
}

}  // namespace gradus
