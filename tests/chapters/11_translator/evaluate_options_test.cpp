// The options of evaluate: each option's effect is compared with the library's results. A new option gets a row.

#include <cmath>
#include <cstdio>
#include <regex>

#include "11_translator/metrics/score.hpp"
#include "chapters/11_translator/program.hpp"
#include "chapters/11_translator/search_option_rows.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("options: evaluate") {
  const Playground place("evaluate-options");
  const std::string files = "--source " + place.write("s", joined(lines.source)) + " --reference " +
                            place.write("r", joined(lines.target)) + " ";
  const auto output = [&](const std::string& words) {
    const Result r = gradus_program(place, "evaluate " + files + words);
    INFO(words << ": " << r.err);
    CHECK(r.status == 0);
    return r.out;
  };
  /// All four lines, computed with these options.
  const auto expected = [&](const TranslateOptions& o, const BleuOptions& bleu = {},
                            const std::vector<TextLines>& references = {lines.target}) {
    TranslateOptions greedy = o;
    greedy.beam_size = 1;
    const TeacherForced forced = bundled().teacher_forced(lines.source, references.front(), 1);
    const auto scores = [&](const TextLines& texts) { return score_several(texts, references, bleu); };
    char numbers[300];
    std::snprintf(
        numbers, sizeof numbers,
        "\nperplexity %.2f; %.1f %% of the next tokens guessed after the%s reference's own words\nBLEU %.2f of "
        "those guesses (teacher-forced, so no score), %.2f of greedy translations (beam size 1)\n",
        std::exp(forced.loss), 100 * forced.accuracy, references.size() > 1 ? " first" : "",
        scores(forced.texts).bleu.score, scores(best_texts(greedy)).bleu.score);
    return to_string(scores(best_texts(o))) + numbers;
  };
  BleuOptions lower;
  lower.lowercase = true;
  std::vector<std::string> other = lines.target;
  std::swap(other[0], other[2]);
  std::vector<OptionRow> rows = {
      {"source", [&] { CHECK(output("") == expected({})); }},
      {"reference",
       [&] {
         const std::string both = expected({}, {}, {lines.target, other});
         CHECK(output("--reference " + place.write("o", joined(other))) == both);
         CHECK(both != expected({}, {}, {other, lines.target}));
         CHECK(both != expected({}));
       }},
      {"model",
       [&] {
         CHECK(output("--model " + std::string(GRADUS_CHAPTERS) + "/11_translator/models/en-de") == expected({}));
         CHECK(output("--model de-en") != expected({}));
       }},
      {"output",
       [&] {
         CHECK(output("--output " + place.file("out")) == expected({}));
         CHECK(read_file(place.file("out")) == joined(best_texts({})));
       }},
      {"device", [&] { CHECK(output("--device cpu") == expected({})); }},
      {"int8",
       [&] {  // the model reads English: of German it is so unsure that rounding changes most translations
         TranslateOptions greedy;
         greedy.beam_size = 1;
         const auto texts = [&](const Translator& translator) {
           std::vector<std::string> all;
           for (const auto& n_best : translator.translate(lines.target, greedy)) all.push_back(n_best[0].text);
           return joined(all);
         };
         REQUIRE(texts(bundled_int8()) != texts(bundled()));
         const Result r =
             gradus_program(place, "evaluate --int8 --beam-size 1 --source " + place.file("r") + " --reference " +
                                       place.file("r") + " --output " + place.file("eight"));
         CHECK(r.status == 0);
         CHECK(read_file(place.file("eight")) == texts(bundled_int8()));
       }},
      {"lowercase",
       [&] {
         CHECK(output("--lowercase") == expected({}, lower));
         CHECK(score(best_texts({}), lines.target, lower).bleu.score >
               score(best_texts({}), lines.target).bleu.score + 1);
       }},
      {"metrics", judged_in("score_forms_test.cpp", "evaluate --metrics")},
      {"tokenize", judged_in("score_forms_test.cpp", "evaluate --tokenize")},
      {"sentence-level", judged_in("score_forms_test.cpp", "evaluate --sentence-level")},
      {"confidence", judged_in("score_forms_test.cpp", "evaluate --confidence")},
      {"resamples", judged_in("score_forms_test.cpp", "--resamples 31")},
      {"score-only", judged_in("score_forms_test.cpp", "evaluate --score-only")},
      {"json", judged_in("score_forms_test.cpp", "evaluate --json")},
      {"show", [&] {
         const std::string out = output("--show 2"), first = expected({});
         CHECK(out.substr(0, first.size()) == first);
         std::vector<std::string> shown;
         const std::regex pattern(
             "  line (\\d), BLEU ([0-9.]+)\n    source     (.*)\n    reference  (.*)\n    output     (.*)\n");
         std::vector<double> scores;
         for (std::sregex_iterator i(out.begin(), out.end(), pattern), end; i != end; ++i) {
           const std::size_t line = std::stoul((*i)[1]) - 1;
           scores.push_back(std::stod((*i)[2]));
           CHECK((*i)[3] == lines.source.at(line));
           CHECK((*i)[4] == lines.target.at(line));
           CHECK((*i)[5] == best_texts({}).at(line));
           CHECK(scores.back() == Approx(sentence_bleu((*i)[5], (*i)[4]).score).margin(6e-3));
         }
         std::vector<double> all;
         for (std::size_t i = 0; i < 4; ++i)
           all.push_back(std::round(100 * sentence_bleu(best_texts({})[i], lines.target[i]).score) / 100);
         std::sort(all.begin(), all.end());
         REQUIRE(scores.size() == 6);
         CHECK(std::vector<double>(scores.begin(), scores.begin() + 4) ==
               std::vector<double>{all[3], all[2], all[0], all[1]});
         // the draws, without putting back, from the lines in the order 3, 2, 1, 0: the standard says what mt19937(1) gives
         CHECK(std::vector<double>(scores.begin() + 4, scores.end()) == std::vector<double>{all[2], all[0]});
       }}};
  add_search_rows(
      rows, [&](const std::string& words, const TranslateOptions& o) { CHECK(output(words) == expected(o)); },
      [&](const TranslateOptions& o) { return expected(o); });
  judge_options("evaluate", rows, "tests/chapters/11_translator/evaluate_options_test.cpp");
}
