#pragma once
/// \file
/// What is asked of a translation, each option described once. The command line, the text for other ranks and the
/// tests follow from the description.

#include <cstddef>
#include <string>
#include <type_traits>

#include "11_translator/search/search_choices.hpp"

namespace gradus {

/// What a user may choose beside the search.
struct TextChoices {
  std::size_t threads = 1;
  std::size_t max_length = 200;  ///< most tokens of a translation, <eos> included
  /// Sources of at most so many tokens, <eos> included, are searched in a way of their own (search_texts.hpp).
  std::size_t short_source = 6;
  /// fill TranslatedText::source_tokens and tokens: takes one more pass for each translation
  bool with_tokens = false;
};

struct TranslateOptions : SearchChoices, TextChoices {
  /// For what a training writes: the bits are the same for any number of threads.
  static TranslateOptions same_bits(std::size_t threads) {
    TranslateOptions o;
    o.threads = threads;
    o.full_batches = true;
    return o;
  }
};

/// The commands that have an option.
enum class Commands { searches, searches_and_serve, translate };  ///< searches: translate, evaluate, explain

/// An option of the command line; its default is the field's.
struct TranslateOption {
  const char* name;  ///< "beam-size": --beam-size
  double least, most;
  const char* help;
  Commands commands = Commands::searches;
};

/// Shows `visit` each field of `o`, TranslateOptions or a const one, that all ranks of a translation must know:
///
///     visit.option(value, text)   one of the command line, a whole number or a real one
///     visit.flag(value, name)     one that a program sets
///
/// The two lists of names have all fields, so without a new one it does not compile. Each process sets the others itself: --threads
/// belongs to many commands, and only rank 0 fills tokens.
template <class Options, class Visitor>
void each_option(Options& o, Visitor&& visit) {
  constexpr bool is_const = std::is_const_v<Options>;
  auto& [beam_size, n_best, length_penalty, full_batches, between_steps] =
      static_cast<std::conditional_t<is_const, const SearchChoices, SearchChoices>&>(o);
  auto& [threads, max_length, short_source, with_tokens] =
      static_cast<std::conditional_t<is_const, const TextChoices, TextChoices>&>(o);
  visit.option(beam_size, {"beam-size", 1, 100, "width of the search; 1 is greedy"});
  visit.option(length_penalty,
               {"length-penalty", 0, 10, "0 favours short translations; no effect on short sources"});
  visit.option(max_length,
               {"max-length", 1, 65536, "most tokens of a translation, its end counted, whatever the source"});
  visit.option(short_source,
               {"short-source", 0, 65536, "tokens up to which a source is searched without repeated words; 0: none",
                Commands::searches_and_serve});
  visit.option(n_best, {"n-best", 1, 100, "number of translations of each sentence, each with its line number",
                        Commands::translate});
  visit.flag(full_batches, "full-batches");
}

/// The options that all ranks must know, as text, and from it. The others have their defaults then.
std::string to_text(const TranslateOptions& options);
TranslateOptions translate_options(const std::string& text);

}  // namespace gradus
