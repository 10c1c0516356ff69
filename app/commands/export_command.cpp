/// \file
/// gradus export: writes a model in the format of another program.

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "app/commands/commands.hpp"
#include "app/export/ctranslate2.hpp"
#include "app/models/known_models.hpp"
#include "app/options/shared_options.hpp"
#include "app/terminal/console.hpp"
#include "gradus/io/folder.hpp"
#include "gradus/io/own_file.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

struct ExportRequest {
  std::string model = default_model(), ctranslate2;
  bool overwrite = false;
};

void check_output(const ExportRequest& r) {
  if (std::filesystem::exists(r.ctranslate2 + "/model.json"))
    throw UsageError(r.ctranslate2 + " holds a model of gradus; give another folder");
  const std::vector<std::string> present = ctranslate2_files(r.ctranslate2);
  if (present.empty() || r.overwrite) return;
  throw UsageError(r.ctranslate2 + " holds a " + present.front() +
                   " already; give another folder, or --overwrite to replace it");
}

/// What the user must do to the text before CTranslate2 gets its pieces.
std::string text_note(const Tokenizer& source) {
  std::string note = source.kind() == TokenizerKind::word ? "whole words" : "SentencePiece's pieces";
  if (source.rules().lower_case) note += ", of text in lower case";
  if (!source.rules().punctuation) note += ", without punctuation";
  return note;
}

int run_export(const ExportRequest& r) {
  check_links(r.ctranslate2 + "/", {r.model});
  check_output(r);
  const ModelDescription d = stored_description(r.model);
  if (d.kind == TokenizerKind::imported)
    fail(
        "an imported model cannot be exported; if it was a MarianMT model, CTranslate2's own converter reads that "
        "folder");
  check_ctranslate2(d.config);  // before the weights are read
  const ModelFiles model = load_model(r.model);
  const FolderLock lock(r.ctranslate2);
  check_output(r);  // again, because another process may have written there
  export_ctranslate2(r.ctranslate2, model);
  console().say(printable(r.ctranslate2) + " holds the model for CTranslate2, which reads " +
                text_note(model.tokenizers.source));
  return 0;
}

}  // namespace

Command add_export(CLI::App& app) {
  const auto r = std::make_shared<ExportRequest>();
  CLI::App* const c = app.add_subcommand("export", "a model in the format of another program");
  c->footer(
      "Greedy translations of both programs are equal. Those of a beam search may differ: gradus divides a log "
      "probability by ((5 + length) / 6)^penalty, CTranslate2 by length^penalty. CTranslate2 refuses a text that "
      "is longer than the model reads, and gradus cuts it.\n"
      "Example: gradus export --ctranslate2 en-de-ct2\n");
  c->add_option("--ctranslate2", r->ctranslate2, "folder for a model of CTranslate2")->type_name("DIR")->required();
  add_model_option(*c, r->model);
  c->add_flag("--overwrite", r->overwrite, "replace the model that is in the folder");
  return {c, [r] { return run_export(*r); }};
}

}  // namespace gradus
