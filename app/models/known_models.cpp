#include "app/models/known_models.hpp"

#include <filesystem>

#include "app/terminal/console.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/process.hpp"

namespace gradus {
namespace {

namespace fs = std::filesystem;

struct Known {
  const char *name, *title;  ///< the name is also that of its folder
  const char *reads, *examples;
};

/// The first two come with the program.
constexpr Known known[] = {{"en-de", "English → German", "an English",
                            "  A dog runs through the snow.\n"
                            "  Two men are playing guitar on a stage.\n"
                            "  A little girl in a pink dress is climbing a tree.\n"
                            "  A woman with a red umbrella walks down the street.\n"
                            "  Children are playing soccer on a green field.\n"},
                           {"de-en", "German → English", "a German",
                            "  Ein Hund rennt durch den Schnee.\n"
                            "  Zwei Männer spielen auf einer Bühne Gitarre.\n"
                            "  Ein kleines Mädchen in einem rosa Kleid klettert auf einen Baum.\n"
                            "  Eine Frau mit einem roten Regenschirm geht die Straße entlang.\n"
                            "  Kinder spielen Fußball auf einer grünen Wiese.\n"},
                           {"en-pt", "English → Portuguese", "an English", ""},
                           {"pt-en", "Portuguese → English", "a Portuguese", ""}};

/// The folder that holds the bundled models' folders: beside the installed program, else in the source tree.
fs::path bundled_folder() {
  std::error_code none;
  const fs::path program = program_path();
  const fs::path installed = (program.parent_path() / GRADUS_INSTALLED_MODELS).lexically_normal();
  return fs::exists(installed / known[0].name / "model.json", none) ? installed : fs::path(GRADUS_MODELS);
}

/// Where the model lies, or where it would if it were fetched; empty if there is no such place.
std::string folder_of(const Known& model) {
  if (source_of(model.name) == nullptr) return bundled_folder() / model.name;
  return fetched_folder(model_cache(), model.name);
}

/// The known model in this folder, or nullptr.
const Known* known_in(const std::string& folder) {
  std::error_code none;
  for (const Known& model : known) {
    if (fs::equivalent(folder, folder_of(model), none)) return &model;
  }
  return nullptr;
}

KnownModel with_examples(const Known& model) {
  KnownModel m{model.name, model.title, {}, source_of(model.name)};
  for (const std::string& line : split_lines(model.examples, "examples"))
    m.examples.push_back(line.substr(line.find_first_not_of(' ')));
  return m;
}

}  // namespace

std::string model_cache() {
  const auto folder = [](const char* variable) {
    const std::string path = environment(variable);
    return path.rfind('/', 0) == 0 ? path : "";  // XDG: a relative path does not count
  };
  const std::string cache = folder("XDG_CACHE_HOME"), home = folder("HOME");
  if (!cache.empty()) return cache + "/gradus";
  return home.empty() ? "" : home + "/.cache/gradus";
}

std::string fetched_folder(const std::string& cache, const std::string& name) {
  return cache.empty() ? "" : cache + "/models/" + name;
}

bool is_fetched(const std::string& cache, const std::string& name) {
  std::error_code none;
  return !cache.empty() && fs::exists(fs::path(fetched_folder(cache, name)) / "model.json", none);
}

std::vector<std::string> bundled_models() {
  std::vector<std::string> folders;
  for (const Known& model : known) {
    if (source_of(model.name) == nullptr) folders.push_back(folder_of(model));
  }
  return folders;
}

std::string default_model() { return folder_of(known[0]); }

std::string model_folder(const std::string& given) {
  std::error_code none;
  for (const Known& model : known) {
    if (given != model.name) continue;
    const bool is_missing = source_of(given) != nullptr && !is_fetched(model_cache(), given);
    if (fs::is_directory(given, none) && !fs::is_empty(given, none)) {
      if (!is_missing && !fs::equivalent(given, folder_of(model), none))
        console().say(given + " is the folder here, not the known model of that name");
      return given;
    }
    if (is_missing) throw UsageError(given + " is not fetched yet: gradus models fetch " + given);
    return folder_of(model);
  }
  return given;
}

std::vector<std::string> known_names() {
  std::vector<std::string> names;
  for (const Known& model : known) names.emplace_back(model.name);
  return names;
}

std::vector<KnownModel> known_models() {
  std::vector<KnownModel> all;
  for (const Known& model : known) all.push_back(with_examples(model));
  return all;
}

KnownModel known_model(const std::string& folder) {
  if (const Known* const model = known_in(folder)) return with_examples(*model);
  const fs::path path = fs::absolute(folder).lexically_normal();
  const std::string name = (path.has_filename() ? path : path.parent_path()).filename().string();
  return {name, name};
}

std::string caption_examples() { return known[0].examples; }

TextLanguages known_languages(const std::string& folder) {
  const Known* const model = known_in(folder);
  if (model == nullptr) return {};
  const std::string name = model->name;  // "en-de"
  return {name.substr(0, 2), name.substr(3)};
}

std::string invitation(const std::string& folder) {
  const Known* const model = known_in(folder);
  if (model == nullptr) return "Type a sentence; exit, quit or Ctrl-D ends.";
  std::string ask = std::string("Type ") + model->reads + " sentence; exit, quit or Ctrl-D ends.";
  if (source_of(model->name) != nullptr) return ask;
  return ask + " The bundled model knows photo captions, such as\n\n" + model->examples;
}

}  // namespace gradus
