// Ranks that share the translations of one command, as threads of this process.

#include "app/commands/help_of_ranks.hpp"

#include <algorithm>

#include "11_translator/storage/model_files.hpp"
#include "chapters/11_translator/search_option_rows.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/util/error.hpp"
#include "lib/io/files.hpp"
#include "support/catch.hpp"
#include "support/thread_ranks.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Texts = std::vector<std::string>;

std::string folder_of(const std::string& name) {
  return std::string(GRADUS_CHAPTERS) + "/11_translator/models/" + name;
}

/// What the ranks say that load these models.
Texts errors_of(const Texts& folders) {
  return on_ranks(folders.size(), [&](Ranks& ranks) {
    load_on_all(ranks, folders[ranks.rank()], DeviceChoice::cpu, SearchWeights::exact, {});
  });
}

const std::string ended = "ended with others";
const std::string rank_1_differs =
    "rank 1 has another model than rank 0; all ranks need the same files in the folder of --model";

}  // namespace

TEST_CASE("help of ranks: all load one model; other weights or another description on a rank end all") {
  const TemporaryFolder place;
  ModelFiles model = load_model(folder_of("en-de"));
  save_model(place.path("same"), model);
  CHECK(errors_of({folder_of("en-de"), folder_of("en-de")}) == Texts(2));

  ModelFiles described = model;
  described.unusual_below = -1;
  save_model(place.path("described"), described);
  CHECK(errors_of({place.path("same"), place.path("described")}) == Texts{rank_1_differs, ended});

  model.weights[0] += 1;
  save_model(place.path("weights"), model);
  CHECK(errors_of({place.path("same"), place.path("weights"), place.path("same")}) ==
        Texts{rank_1_differs, ended, ended});

  CHECK(errors_of({place.path("same"), place.path("none")}) ==
        Texts{"rank 1: " + place.path("none") + ": there is no such folder, so no model in it", ended});
}

TEST_CASE(
    "help of ranks: after an error of a call that rank 0 survives, the next call works, and later errors are new") {
  const Translator translator = Translator::load(folder_of("en-de"));
  const std::string sentence = "A dog runs through the snow.";
  const std::string alone_text = translator.translate(sentence);
  std::vector<int> ends_with_others(2, -1);
  const Texts errors = on_ranks(2, [&](Ranks& ranks) {
    const int status = with_help(ranks, translator, 1, [&](const Translator& shared) {
      TranslateOptions options;
      options.beam_size = 0;
      std::string error;
      try {
        shared.translate({sentence}, options);
      } catch (const Error& e) {
        error = e.what();
      }
      if (error.empty()) fail("a beam of 0 was accepted");
      options.beam_size = 5;
      if (shared.translate({sentence}, options).front().front().text != alone_text) fail("another translation");
      return 7;
    });
    if (status != 7) fail("another status");
    ends_with_others[ranks.rank()] = ranks.end_together() ? 1 : 0;
  });
  CHECK(errors == Texts(2));
  CHECK(ends_with_others == std::vector<int>{0, 0});
}

TEST_CASE("help of ranks: an error that ends a call does not count as the end of the rank that helps") {
  const Translator translator = Translator::load(folder_of("en-de"));
  bool ends_with_others = true;
  std::string refusal;
  on_ranks(2, [&](Ranks& ranks) {
    if (!is_first(ranks)) {
      translator.help(ranks, 1);
      ends_with_others = ranks.end_together();
      return;
    }
    const Helpers until_the_end(ranks);
    TranslateOptions options;
    options.beam_size = 0;
    try {
      translator.shared_by(ranks).translate({"A dog."}, options);
    } catch (const Error& error) {
      refusal = error.what();
    }
  });
  CHECK_FALSE(refusal.empty());
  CHECK_FALSE(ends_with_others);
}

TEST_CASE(
    "help of ranks: weights of 8 bits and each option of the search are the same on all ranks, but for the "
    "threads") {
  const auto errors_of_changed = [](SearchWeights weights, const TranslateOptions& options) {
    return on_ranks(2, [&](Ranks& ranks) {
      const bool first = is_first(ranks);
      load_on_all(ranks, folder_of("en-de"), DeviceChoice::cpu, first ? SearchWeights::exact : weights,
                  first ? TranslateOptions() : options);
    });
  };
  const auto differs = [](const std::string& option) {
    return Texts{"rank 1 has another " + option + " than rank 0; all ranks need the same", ended};
  };
  CHECK(errors_of_changed(SearchWeights::int8, {}) == differs("--int8 (given, not absent)"));
  for (const SearchRow& row : search_rows) {
    TranslateOptions changed;
    row.change(changed);
    const Texts errors = errors_of_changed(SearchWeights::exact, changed);
    INFO(row.option << ": " << errors[0]);
    if (row.option == "threads") {
      CHECK(errors == Texts(2));
    } else {
      CHECK(errors[0].rfind("rank 1 has another --" + row.option + " (", 0) == 0);
      CHECK(errors[1] == ended);
    }
  }
  TranslateOptions several;
  several.n_best = 3;
  CHECK(errors_of_changed(SearchWeights::exact, several) == differs("--n-best (3, not 1)"));
}

TEST_CASE("help of ranks: each option of a translation reaches the ranks that help") {
  const Translator translator = Translator::load(folder_of("en-de"));
  const Texts captions = read_lines(std::string(GRADUS_CHAPTERS) + "/11_translator/toy/train.en");
  const Texts some(captions.begin(), captions.begin() + 100);  // three batches, so each rank has one
  const auto usual = [] {
    TranslateOptions o = TranslateOptions::same_bits(1);
    o.beam_size = 2, o.max_length = 5;
    return o;
  };
  std::vector<TranslateOptions> all{usual(), usual()};
  all[1].n_best = 2;
  for (const SearchRow& row : search_rows) {
    if (row.option == "threads") continue;  // each rank has its own
    all.push_back(usual());
    row.change(all.back());
  }
  std::vector<std::string> seen;
  for (const TranslateOptions& options : all) {
    const auto text_of = [&](const Translator& one) {
      std::string text;
      for (const auto& best : one.translate(some, options)) {
        for (const TranslatedText& found : best) text += found.text + " " + std::to_string(found.score) + "\n";
      }
      return text;
    };
    const std::string expected = text_of(translator);
    seen.push_back(expected);
    const Texts errors = on_ranks(2, [&](Ranks& ranks) {
      with_help(ranks, translator, 1, [&](const Translator& shared) {
        if (text_of(shared) != expected) fail("other translations");
        return 0;
      });
    });
    CHECK(errors == Texts(2));
  }
  std::sort(seen.begin(), seen.end());
  CHECK(std::adjacent_find(seen.begin(), seen.end()) == seen.end());  // each option changes something
}
