// The options of translate and explain: each option's effect is compared with the library's results. A new option
// gets a row.

#include <cstdio>
#include <regex>
#include <set>

#include "11_translator/pictures/attention_page.hpp"
#include "app/answers/translate_request.hpp"
#include "chapters/11_translator/program.hpp"
#include "chapters/11_translator/search_option_rows.hpp"
#include "gradus/io/lines.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

const std::string rows_file = "tests/chapters/11_translator/translate_options_test.cpp";

/// The output of translate.
std::string as_lines(const std::vector<std::vector<TranslatedText>>& all, bool several, bool scores) {
  std::string text;
  std::size_t number = 0;
  for (const auto& n_best : all) {
    ++number;
    for (const TranslatedText& t : n_best) {
      char score[40];
      std::snprintf(score, sizeof score, "%.4f\t", t.score);
      text += (several ? std::to_string(number) + "\t" : "") + (scores ? score : "") + t.text + "\n";
    }
  }
  return text;
}
std::string printed(const TranslateOptions& o, bool scores, const char* model = "en-de") {
  return as_lines(translated(o, model), o.n_best > 1, scores);
}

/// For each_option: gives one field another value, and counts all.
struct Changer {
  std::size_t number;  // of the field that is changed
  std::size_t seen = 0;
  template <class Value>
  void option(Value& value, const TranslateOption&) {
    if (seen++ == number) value += static_cast<Value>(1.1);
  }
  void flag(bool& value, const char*) {
    if (seen++ == number) value = !value;
  }
};

}  // namespace

TEST_CASE("options: every command has a table") {
  CLI::App app;
  std::set<std::string> names;
  for (const Command& command : add_commands(app)) names.insert(command.options->get_name());
  INFO("a new command needs a case as those of *_options_test.cpp, and its name here");
  CHECK(names == std::set<std::string>{"average", "bench", "completion", "data", "evaluate", "explain", "export",
                                       "import", "info", "man", "models", "presets", "report", "score",
                                       "score-pairs", "serve", "train", "translate"});
}

TEST_CASE("options: translate") {
  const Playground place("translate-options");
  const std::string from = " --input " + place.write("in", joined(lines.source)) + " ";
  const auto said = [&](const std::string& words) {
    const Result r = gradus_program(place, "translate " + words);
    INFO(words << ": " << r.err);
    CHECK(r.status == 0);
    return r.out;
  };
  TranslateOptions greedy, three;
  greedy.beam_size = 1, three.n_best = 3;
  const auto page = [&] {
    std::vector<AttentionRecord> records;
    for (const std::string& line : lines.source) {
      records.push_back(bundled().attention(line, greedy));
      CHECK(records.back().translation == best_texts(greedy)[records.size() - 1]);
    }
    return attention_page(records);
  };
  std::vector<OptionRow> rows = {{"sentence",
                                  [&] {
                                    CHECK(said("'" + lines.source[1] + "' '' '" + lines.source[3] + "'") ==
                                          best_texts({})[1] + "\n\n" + best_texts({})[3] + "\n");
                                  }},
                                 {"input", [&] { CHECK(said(from) == printed({}, false)); }},
                                 {"output",
                                  [&] {
                                    CHECK(said(from + "--output " + place.file("out")).empty());
                                    CHECK(read_file(place.file("out")) == printed({}, false));
                                  }},
                                 {"model",
                                  [&] {
                                    CHECK(said(from + "--with-scores --model de-en") == printed({}, true, "de-en"));
                                    CHECK(said(from + "--with-scores --model de-en") != printed({}, true));
                                  }},
                                 {"device",
                                  [&] {
                                    CHECK(said(from + "--device cpu") == printed({}, false));
                                    CHECK(gradus_program(place, "translate --device tpu" + from).status == 2);
                                  }},
                                 {"int8",
                                  [&] {
                                    const std::string expected = as_lines(translated_int8(), false, true);
                                    CHECK(said(from + "--with-scores --int8") == expected);
                                    CHECK(expected != printed({}, true));
                                  }},
                                 {"n-best", [&] { CHECK(said(from + "--n-best 3") == printed(three, false)); }},
                                 {"with-scores",
                                  [&] {
                                    CHECK(said(from + "--with-scores") == printed({}, true));
                                    CHECK(said(from + "--with-scores --n-best 3") == printed(three, true));
                                  }},
                                 {"alignment", judged_in("translate_output_test.cpp", "--alignment")},
                                 {"json", judged_in("translate_output_test.cpp", "--json")},
                                 {"paragraphs", judged_in("paragraphs_test.cpp", "--paragraphs")},
                                 {"buffer", judged_in("bad_lines_test.cpp", "--buffer")},
                                 {"attention", [&] {
                                    said(from + "--beam-size 1 --attention " + place.file("a.html"));
                                    CHECK(read_file(place.file("a.html")) == page());
                                  }}};
  add_search_rows(
      rows,
      [&](const std::string& words, const TranslateOptions& o) {
        CHECK(said(from + "--with-scores " + words) == printed(o, true));
      },
      [](const TranslateOptions& o) { return printed(o, true); });
  judge_options("translate", rows, rows_file);
}

TEST_CASE("options: explain") {
  const Playground place("explain-options");
  const std::string sentence = lines.source[2];
  const auto said = [&](const std::string& words) {
    const Result r = gradus_program(place, "explain '" + sentence + "' " + words);
    INFO(words << ": " << r.err);
    CHECK(r.status == 0);
    return r.out;
  };
  const auto expected = [&](const TranslateOptions& o, const char* model = "en-de") {
    return bundled(model).explain(sentence, o);
  };
  /// The translation at the end, and a line for each step with the probabilities of its candidates.
  const auto check = [&](const std::string& out, const Explanation& e) {
    CHECK(out.size() > e.best.text.size());
    CHECK(out.substr(out.size() - e.best.text.size() - 2) == "\n" + e.best.text + "\n");
    const auto table = split_lines(out.substr(out.find("the likeliest words")), "out");
    for (std::size_t t = 0; t < e.steps.size(); ++t) {
      std::smatch found;
      REQUIRE(std::regex_search(table.at(t + 2), found, std::regex("^ +(\\d+)  .*?  ([0-9]\\.[0-9]{3}) ")));
      CHECK(std::stoul(found[1]) == t + 1);
      CHECK(std::stod(found[2]) == Approx(e.steps[t].candidates[0].second).margin(6e-4));
    }
    CHECK(table.at(e.steps.size() + 2).empty());
  };
  std::vector<OptionRow> rows = {{"sentence", [&] { check(said(""), expected({})); }},
                                 {"model",
                                  [&] {
                                    check(said("--model de-en"), expected({}, "de-en"));
                                    CHECK(expected({}, "de-en").best.text != expected({}).best.text);
                                  }},
                                 {"device", [&] { check(said("--device cpu"), expected({})); }}};
  add_search_rows(
      rows, [&](const std::string& words, const TranslateOptions& o) { check(said(words), expected(o)); },
      [&](const TranslateOptions& o) { return expected(o).best.text; });
  for (const NextWord& step : expected({}).steps) {  // one pass over the translation agrees with the search
    double found = 0;
    for (const auto& [word, probability] : step.candidates) found += word.id == step.output.id ? probability : 0;
    CHECK(found == Approx(step.probability).epsilon(1e-3));
  }
  judge_options("explain", rows, rows_file);
}

TEST_CASE("options: bounds, defaults and help of a translation's options are those of their description") {
  struct Checker {
    const Playground& place;
    void option(const double& value, const TranslateOption& text) const {
      check(CLI::detail::to_string(value), text);
    }
    void option(const std::size_t& value, const TranslateOption& text) const { check(std::to_string(value), text); }
    void flag(bool, const char*) const {}

    void check(const std::string& standard, const TranslateOption& text) const {
      for (const std::string command : {"translate", "explain", "evaluate", "serve"}) {
        const bool has = text.commands == Commands::translate  ? command == "translate"
                         : text.commands == Commands::searches ? command != "serve"
                                                               : true;
        const auto names = options_of(command);
        INFO(command << " --" << text.name);
        CHECK(std::count(names.begin(), names.end(), text.name) == (has ? 1 : 0));
        if (!has) continue;
        const std::string help =
            std::regex_replace(gradus_program(place, command + " --help").out, std::regex("\\s+"), " ");
        CHECK_THAT(help, contains("--" + std::string(text.name) + " "));
        CHECK_THAT(help, contains(std::string(text.help) + " [" + standard + "]"));
        const Result beyond = gradus_program(place, command + " --" + text.name + " 99999");
        CHECK(beyond.status == 2);
        CHECK_THAT(beyond.err, contains("99999 is not between " + CLI::detail::to_string(text.least) + " and " +
                                        CLI::detail::to_string(text.most)));
      }
    }
  };
  const Playground place("described-options");
  const TranslateOptions usual;
  each_option(usual, Checker{place});
}

TEST_CASE("options: what all ranks must know comes back from its text") {
  Changer fields{99};
  TranslateOptions usual;
  each_option(usual, fields);
  std::set<std::string> texts{to_text(usual)};
  for (std::size_t number = 0; number < fields.seen; ++number) {
    TranslateOptions changed;
    each_option(changed, Changer{number});
    CHECK(texts.insert(to_text(changed)).second);
    CHECK(to_text(translate_options(to_text(changed))) == to_text(changed));
  }
}

TEST_CASE("translate: by default 192 lines are translated together for each thread") {
  TranslateRequest r;
  r.options.threads = 2;
  CHECK(most_lines(r, 1) == 384);
  CHECK(most_lines(r, 3) == 3 * 384);
  r.buffer = 7;
  CHECK(most_lines(r, 3) == 7);
}
