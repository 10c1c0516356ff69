#include "11_translator/program/commands.hpp"

#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "11_translator/program/interrupt.hpp"
#include "11_translator/program/progress.hpp"
#include "11_translator/score.hpp"
#include "gradus/io/atomic_file.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/ops/blas_core.hpp"
#include "gradus/text/packed_file.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

void warn_if_cut(const TranslatedText& t, std::size_t line) {
  if (t.cut) std::fprintf(stderr, "warning: line %zu is longer than the model reads; its end was left out\n", line);
}

/// A heat map in text: one row a target piece, one column a source piece, darker for more attention.
void draw(const AttentionPicture& picture) {
  static const char* const shades[] = {"  ", "░░", "▒▒", "▓▓", "██"};
  const auto shown = [](std::string piece) {
    const std::string mark = "\u2581";  // SentencePiece's sign for the space before a word
    for (auto at = piece.find(mark); at != std::string::npos; at = piece.find(mark))
      piece.replace(at, mark.size(), "_");
    return piece;
  };
  const auto width = [](const std::string& text) {
    std::size_t n = 0;
    for (const char c : text) n += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    return n;
  };
  for (std::size_t s = 0; s < picture.source.size(); ++s) {
    std::printf("%14s", "");
    for (std::size_t k = 0; k < s; ++k) std::printf(" |");
    std::printf(" %s\n", shown(picture.source[s]).c_str());
  }
  for (std::size_t t = 0; t < picture.target.size(); ++t) {
    const std::string piece = shown(picture.target[t]);
    std::printf("%*s%s ", static_cast<int>(width(piece) < 13 ? 13 - width(piece) : 0), "", piece.c_str());
    for (const double w : picture.weights[t]) std::printf("%s", shades[static_cast<int>(w * 4.999)]);
    std::printf("\n");
  }
}

/// A conversation on a terminal: one sentence, one answer.
void translate_at_prompt(const Translator& translator, const TranslateRequest& request) {
  std::fprintf(stderr, "Type an English sentence (the model knows photo captions); an empty line ends.\n");
  std::string text;
  for (std::size_t number = 1;; ++number) {
    std::fputs("> ", stderr);
    if (!std::getline(std::cin, text) || text.empty()) return;
    const std::string line = split_lines(text, "what you typed").front();
    const TranslatedText best =
        translator.translate(std::vector<std::string>{line}, request.options).front().front();
    warn_if_cut(best, number);
    std::printf("%s\n", best.text.c_str());
    std::fflush(stdout);
    if (request.attention) draw(translator.explain(line, request.options));
  }
}

}  // namespace

int run_train(const TrainingRequest& request) {
  catch_interrupts();
  Progress progress;
  TrainingListener listener;
  listener.say = [&](const std::string& text) { progress.line(text); };
  listener.on_step = [&](const StepReport& report, std::uint32_t all) { progress.step(report, all); };
  listener.interrupted = was_interrupted;
  switch (train(request, listener)) {
    case TrainingEnd::finished:
      return 0;
    case TrainingEnd::already_finished:
      progress.line("this run is finished; its model is in " + request.output);
      return 0;
    case TrainingEnd::stopped:
      progress.line("stopped; the same command goes on from here");
      return 0;
    case TrainingEnd::interrupted:
      progress.line("interrupted and saved; the same command goes on from here");
      return 130;
    case TrainingEnd::failed:
      return 1;
  }
  return 1;
}

int run_translate(const TranslateRequest& request) {
  const Translator translator = Translator::load(request.model);
  const bool bare = request.sentences.empty() && request.input.empty();
  if (bare && request.output.empty() && isatty(STDIN_FILENO) != 0) {
    translate_at_prompt(translator, request);
    return 0;
  }
  std::vector<std::string> lines = request.sentences;
  for (std::size_t i = 0; i < lines.size(); ++i) split_lines(lines[i], "sentence " + std::to_string(i + 1));
  if (!request.input.empty()) lines = read_lines(request.input, read_packed_file);
  if (bare) lines = read_lines(std::cin, "the standard input");

  const auto translated = translator.translate(lines, request.options);
  std::string text;
  for (std::size_t i = 0; i < translated.size(); ++i) {
    warn_if_cut(translated[i].front(), i + 1);
    text += translated[i].front().text + "\n";
  }
  if (!request.output.empty()) {
    write_atomically(request.output, text);
    return 0;
  }
  std::fputs(text.c_str(), stdout);
  for (const std::string& line : lines) {
    if (request.attention && !line.empty()) draw(translator.explain(line, request.options));
  }
  return 0;
}

int run_score(const ScoreRequest& request) {
  const LinePairs pairs = read_pairs(request.hypotheses, request.references, read_packed_file);
  BleuOptions options;
  options.lowercase = request.lowercase;
  std::printf("%s\n", to_string(score(pairs.source, pairs.target, options)).c_str());
  return 0;
}

std::string build_information() {
  return std::string("gradus ") + GRADUS_VERSION + " (" + GRADUS_COMPILER + "; BLAS kernels: " + blas_core() + ")";
}

}  // namespace gradus
