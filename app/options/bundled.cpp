#include "app/options/bundled.hpp"

#include <filesystem>

#include "gradus/io/lines.hpp"
#include "gradus/util/process.hpp"

namespace gradus {
namespace {

namespace fs = std::filesystem;

struct Bundled {
  const char *name, *title;  ///< the name is also that of its folder
  const char *reads, *examples;
};

constexpr Bundled bundled[] = {{"en-de", "English → German", "an English",
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
                                "  Kinder spielen Fußball auf einer grünen Wiese.\n"}};

/// The folder that holds the bundled models' folders: beside the installed program, else in the source tree.
fs::path models_folder() {
  std::error_code none;
  const fs::path program = program_path();
  const fs::path installed = (program.parent_path() / GRADUS_INSTALLED_MODELS).lexically_normal();
  return fs::exists(installed / bundled[0].name / "model.json", none) ? installed : fs::path(GRADUS_MODELS);
}

/// The bundled model in this folder, or nullptr.
const Bundled* bundled_in(const std::string& folder) {
  std::error_code none;
  for (const Bundled& model : bundled) {
    if (fs::equivalent(folder, models_folder() / model.name, none)) return &model;
  }
  return nullptr;
}

}  // namespace

std::string default_model() { return models_folder() / bundled[0].name; }

std::string model_folder(const std::string& given) {
  std::error_code none;
  for (const Bundled& model : bundled) {
    if (given == model.name && !fs::exists(given, none)) return models_folder() / model.name;
  }
  return given;
}

KnownModel known_model(const std::string& folder) {
  if (const Bundled* const model = bundled_in(folder)) {
    KnownModel known{model->name, model->title};
    for (const std::string& line : split_lines(model->examples, "examples"))
      known.examples.push_back(line.substr(line.find_first_not_of(' ')));
    return known;
  }
  const fs::path path = fs::absolute(folder).lexically_normal();
  const std::string name = (path.has_filename() ? path : path.parent_path()).filename().string();
  return {name, name};
}

std::string caption_examples() { return bundled[0].examples; }

std::string bundled_languages(const std::string& folder) {
  const Bundled* const model = bundled_in(folder);
  return model == nullptr ? "" : std::string(model->name).replace(2, 1, " to ");
}

std::string invitation(const std::string& folder) {
  const Bundled* const model = bundled_in(folder);
  if (model == nullptr) return "Type a sentence; exit, quit or Ctrl-D ends.";
  return std::string("Type ") + model->reads +
         " sentence; exit, quit or Ctrl-D ends. The bundled model knows photo captions, such as\n\n" +
         model->examples;
}

}  // namespace gradus
