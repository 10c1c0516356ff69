/// \file
/// gradus import: makes a model from that of another program.

#include <CLI/CLI.hpp>
#include <memory>

#include "11_translator/training/record/run_files.hpp"
#include "app/commands/commands.hpp"
#include "app/import/marian.hpp"
#include "app/import/student.hpp"
#include "app/terminal/console.hpp"
#include "gradus/io/folder.hpp"
#include "gradus/io/own_file.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

struct ImportRequest {
  std::string folder, output;
  bool overwrite = false;
};

void check_output(const ImportRequest& r) {
  const std::vector<std::string> present = run_files(r.output);
  if (present.empty() || r.overwrite) return;
  throw UsageError(r.output + " holds a " + present.front() +
                   " already; give another --output, or --overwrite to replace it with the imported model");
}

ModelFiles imported(const std::string& folder) {
  if (!is_folder(folder))
    fail(folder + (is_there(folder) ? " is a file; give the folder that it is in" : ": there is no such folder"));
  if (holds_student(folder)) return import_student(folder);
  if (is_there(folder + "/config.json")) return import_marian(folder);
  if (is_there(folder + "/model.json")) fail(folder + " is a model of gradus already; give it to --model");
  fail(folder + " has neither the config.json of a MarianMT model nor the model.NAME.bin or NAME.npz of Marian");
}

int run_import(const ImportRequest& r) {
  check_links(r.output + "/", {r.folder});
  check_output(r);
  const ModelFiles model = imported(r.folder);
  const FolderLock lock(r.output);
  check_output(r);  // again, because another process may have written there
  remove_run(r.output);
  save_model(r.output, model);
  console().say(printable(r.output) + " holds the model; for example: gradus translate --model " +
                printable(shell_word(r.output)));
  return 0;
}

}  // namespace

Command add_import(CLI::App& app) {
  const auto r = std::make_shared<ImportRequest>();
  CLI::App* const c = app.add_subcommand("import", "a model of another program as a model of gradus");
  c->footer(
      "Reads MarianMT models of transformers, such as those of opus-mt: a folder with config.json, "
      "model.safetensors, source.spm, target.spm and vocab.json; and models in Marian's own files, such as the "
      "students of Firefox and Bergamot: a folder with model.NAME.bin or NAME.npz, and vocab.NAME.spm or "
      "vocab.spm (or source.spm, target.spm and NAME.vocab.yml). Nothing in it is executed. docs/import.md says "
      "what is read, and what is refused.\n"
      "Example: gradus import opus-mt-en-de --output my-en-de\n");
  c->add_option("folder", r->folder, "folder of the other program's model")->type_name("FOLDER")->required();
  c->add_option("--output", r->output, "folder for the model")->type_name("DIR")->required();
  c->add_flag("--overwrite", r->overwrite, "replace the model or the run that is in the folder");
  return {c, [r] { return run_import(*r); }};
}

}  // namespace gradus
