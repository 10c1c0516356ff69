#include "app/options/train_text.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "app/options/shared_options.hpp"
#include "app/options/train_options.hpp"
#include "gradus/io/folder.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

/// DIR/PART.LANG, or the same with .gz.
std::string find_text(const std::string& folder, const std::string& part, const std::string& language) {
  const std::string plain = folder + "/" + part + "." + language;
  for (const std::string& path : {plain, plain + ".gz"}) {
    if (std::filesystem::exists(path)) return path;
  }
  fail(plain + " is missing, and " + plain + ".gz too; --data names a folder with train.LANG and val.LANG");
}

/// Throws UsageError if two of these options are given.
void exclude_each_other(const CLI::App& c, const std::vector<const char*>& some,
                        const std::vector<const char*>& others, const std::string& advice = "") {
  for (const char* one : some) {
    for (const char* other : others) {
      if (c.count(one) != 0 && c.count(other) != 0)
        throw UsageError(std::string(one) + " and " + other + " exclude each other" + advice);
    }
  }
}

void check_exclusions(const CLI::App& c) {
  exclude_each_other(c, {"--data"},
                     {"--train-source", "--train-target", "--train", "--valid-source", "--valid-target", "--valid"},
                     ": give --data, or all files");
  exclude_each_other(c, {"--train"}, {"--train-source", "--train-target"});
  exclude_each_other(c, {"--valid"}, {"--valid-source", "--valid-target"});
  exclude_each_other(c, {"--valid-split"}, {"--valid-source", "--valid-target", "--valid"});
}

void take_folder(TrainOptions& o) {
  TrainingRequest& r = o.request;
  if (is_there(o.data) && !is_folder(o.data))
    fail("--data " + o.data + " is a file, and not a folder; a file of pairs is given with --train and --valid");
  if (o.source_lang == o.target_lang) throw UsageError("--source-lang and --target-lang are both " + o.source_lang);
  r.title = o.source_lang + " to " + o.target_lang;
  r.train_source = find_text(o.data, "train", o.source_lang);
  r.train_target = find_text(o.data, "train", o.target_lang);
  if (r.valid_split != 0) return;
  r.valid_source = find_text(o.data, "val", o.source_lang);
  r.valid_target = find_text(o.data, "val", o.target_lang);
}

void check_complete(const TrainingRequest& r) {
  const bool has_train = !r.train_pairs.empty() || (!r.train_source.empty() && !r.train_target.empty());
  const bool has_valid =
      r.valid_split != 0 || !r.valid_pairs.empty() || (!r.valid_source.empty() && !r.valid_target.empty());
  if (r.mix_source.empty() != r.mix_target.empty())
    throw UsageError("--mix-source and --mix-target belong together; give both");
  if (!has_train)
    throw UsageError(
        "the text is missing; give --data DIR, or --train FILE, or both --train-source and --train-target");
  if (!has_valid)
    throw UsageError(
        "the text for validation is missing; give --valid FILE, or both --valid-source and --valid-target, or "
        "--valid-split N, which takes N pairs out of the training text");
}

}  // namespace

void resolve_train_text(const CLI::App& c, TrainOptions& o) {
  require_one_reader(c);  // again, because an options file may name texts too
  check_exclusions(c);
  TrainingRequest& r = o.request;
  r.train_source = o.train_source, r.train_target = o.train_target, r.train_pairs = o.train;
  r.valid_source = o.valid_source, r.valid_target = o.valid_target, r.valid_pairs = o.valid;
  if (!o.data.empty()) take_folder(o);
  check_complete(r);
  if (o.output.empty()) throw UsageError("the folder for the run is missing; give --output DIR");
  r.output = o.output;
}

}  // namespace gradus
