#include "11_translator/program/commands/help_of_ranks.hpp"

#include <optional>

#include "11_translator/program/terminal/console.hpp"
#include "11_translator/storage/model_files.hpp"
#include "gradus/ranks/same_program.hpp"
#include "gradus/util/error.hpp"

namespace gradus {

Translator load_on_all(Ranks& ranks, const std::string& folder, DeviceChoice device) {
  const std::string warning = require_same_program(ranks);
  if (!warning.empty() && is_first(ranks)) console().warn(warning);
  std::optional<Translator> translator;
  together(ranks, [&] { translator = Translator::load(folder, device); });
  const auto other = difference(ranks, ranks.size() == 1 ? "" : weights_sha256(folder));
  if (other) {
    together(ranks, [&] {
      fail("the model in " + folder + " is not the same on rank " + std::to_string(other->rank) + " as on rank 0");
    });
  }
  return *translator;
}

}  // namespace gradus
