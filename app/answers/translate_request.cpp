#include "app/answers/translate_request.hpp"

#include <string>
#include <utility>

#include "11_translator/search/search_host.hpp"
#include "11_translator/training/record/run_files.hpp"
#include "app/answers/attention_file.hpp"
#include "gradus/io/own_file.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

void check_json(const TranslateRequest& r) {
  if (!r.json) return;
  if (r.with_scores) throw UsageError("--json has the scores already; leave --with-scores out");
  if (r.alignment) throw UsageError("--json has the alignment already; leave --alignment out");
  if (r.attention == "-")
    throw UsageError("--attention - and --json both write to the standard output; give --attention a file");
}

/// The translation of a paragraph is a text: it has no score, and no tokens of its own.
void check_paragraphs(const TranslateRequest& r) {
  if (!r.paragraphs) return;
  const std::pair<const char*, bool> others[] = {{"--json", r.json},
                                                 {"--with-scores", r.with_scores},
                                                 {"--alignment", r.alignment},
                                                 {"--attention", !r.attention.empty()},
                                                 {"--n-best", r.options.n_best > 1}};
  for (const auto& [name, is_given] : others)
    if (is_given) throw UsageError("--paragraphs puts translations together; leave " + std::string(name) + " out");
}

}  // namespace

std::size_t most_lines(const TranslateRequest& r, std::size_t ranks) {
  return r.buffer != 0 ? r.buffer : 4 * SearchOptions{}.batch_sentences * r.options.threads * ranks;
}

void check(const TranslateRequest& r) {
  if (r.options.n_best > r.options.beam_size) {
    throw UsageError("--n-best " + std::to_string(r.options.n_best) + " needs a --beam-size as large");
  }
  if (!r.inputs.empty() && !r.sentences.empty())
    throw UsageError(
        "sentences come either from --input or from the command line; --input stands before each file");
  check_json(r);
  check_paragraphs(r);
  if (!r.attention.empty()) check_attention_name(r.attention);
  if (!r.attention.empty() && r.attention == r.output)
    throw UsageError("--attention and --output name the same file, " + r.output);
  if (r.attention != "-") check_named_file(r.attention, {r.model});
  check_named_file(r.output, {r.model});
  std::vector<std::string> inputs =
      r.inputs.empty() && r.sentences.empty() ? std::vector<std::string>{"/dev/stdin"} : r.inputs;
  for (const std::string& name : run_files(r.model)) inputs.push_back(r.model + "/" + name);
  check_not_read(r.output, inputs);
  check_not_read(r.attention, inputs);
}

}  // namespace gradus
