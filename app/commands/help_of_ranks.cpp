#include "app/commands/help_of_ranks.hpp"

#include <optional>
#include <sstream>
#include <string>

#include "11_translator/storage/model_files.hpp"
#include "11_translator/translator/translator_engine.hpp"
#include "app/terminal/console.hpp"
#include "gradus/ranks/world.hpp"

namespace gradus {
namespace {

void require_same_device(Ranks& ranks, DeviceChoice device) {
  std::string taken;
  together(ranks, [&] { taken = name_of(device_taken(device)); });
  require_same(ranks, "--device", taken);
}

/// For each_option: all ranks were given the same.
struct SameOption {
  Ranks& ranks;

  template <class Value>
  void option(const Value& value, const TranslateOption& text) const {
    std::ostringstream number;
    number << value;
    require_same(ranks, "--" + std::string(text.name), number.str());
  }
  void flag(bool, const char*) const {}  // the program sets it
};

/// Older descriptions lack the checksum of the weights, so the file's own is compared, too.
void require_same_model(Ranks& ranks, const std::string& folder) {
  std::string model;
  together(ranks, [&] { model = to_json(stored_description(folder)) + weights_sha256(folder); });
  if (const auto other = difference(ranks, model))
    fail_together(ranks,
                  "rank " + std::to_string(other->rank) +
                      " has another model than rank 0; all ranks need the same files in the folder of --model");
}

}  // namespace

Translator load_on_all(Ranks& ranks, const std::string& folder, DeviceChoice device, SearchWeights weights,
                       const TranslateOptions& options) {
  if (ranks.size() == 1) return Translator::load(folder, device, weights);
  const std::string warning = require_same_program(ranks);
  if (!warning.empty() && is_first(ranks)) console().warn(warning);
  require_same_device(ranks, device);
  require_same(ranks, "--int8", weights == SearchWeights::int8 ? "given" : "absent");
  each_option(options, SameOption{ranks});
  std::optional<Translator> translator;
  together(ranks, [&] {
    translator = Translator::load(folder, device, weights);
  });  // a damaged model gets its own message
  require_same_model(ranks, folder);
  return *translator;
}

}  // namespace gradus
