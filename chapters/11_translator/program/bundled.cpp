#include "11_translator/program/bundled.hpp"

#include <filesystem>

namespace gradus {

namespace fs = std::filesystem;

std::string default_model() {
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none);
  const fs::path installed = (program.parent_path() / GRADUS_INSTALLED_MODEL).lexically_normal();
  return fs::exists(installed / "model.json", none) ? installed.string() : GRADUS_MODEL;
}

std::string caption_examples() {
  return "  A dog runs through the snow.\n"
         "  Two men are playing guitar on a stage.\n"
         "  A little girl in a pink dress is climbing a tree.\n"
         "  A woman with a red umbrella walks down the street.\n"
         "  Children are playing soccer on a green field.\n";
}

std::string invitation(const std::string& folder) {
  std::error_code none;
  if (!fs::equivalent(folder, default_model(), none)) return "Type a sentence; an empty line ends.";
  return "Type an English sentence; an empty line ends. The bundled model knows photo captions, such as\n\n" +
         caption_examples();
}

}  // namespace gradus
