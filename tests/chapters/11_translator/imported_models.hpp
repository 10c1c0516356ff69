#pragma once
/// \file
/// The tiny MarianMT models of tests/golden/make_import.py, and what transformers computed with them.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "09_transformer/model.hpp"
#include "app/import/marian.hpp"
#include "app/import/marian_weights.hpp"
#include "gradus/device/device.hpp"
#include "gradus/io/atomic_file.hpp"

namespace gradus::test {

inline std::string imported_folder(const std::string& name) {
  return std::string(GRADUS_GOLDEN) + "/import_" + name;
}

/// One of them in double, as the importer reads it.
struct ImportedModel {
  using Dev = Cpu<double>;

  explicit ImportedModel(const std::string& name)
      : folder(imported_folder(name)),
        config(parse_marian_config(text("config.json"), "config.json")),
        rows(marian_rows(parse_marian_vocabulary(text("vocab.json"), "vocab.json", config), config)),
        model(dev, config.model.without_dropout()),
        ours(config.vocab) {
    const auto file = SafetensorsFile::load(folder + "/model.safetensors");
    write(dev, model.flat(), marian_weights<double>(file, config, rows));
    for (std::size_t id = 0; id < rows.size(); ++id) {
      if (rows[id] != no_row) ours[rows[id]] = static_cast<std::int32_t>(id);
    }
  }

  std::string text(const std::string& name) const { return read_regular_file(folder + "/" + name, 1'000'000); }
  nlohmann::json translations() const { return nlohmann::json::parse(text("translations.json")); }

  /// Our ids for the file's.
  std::vector<std::int32_t> our_ids(const std::vector<std::size_t>& theirs) const {
    std::vector<std::int32_t> ids;
    for (const std::size_t id : theirs) ids.push_back(ours.at(id));
    return ids;
  }

  Dev dev;
  std::string folder;
  MarianConfig config;
  std::vector<std::size_t> rows;
  Model<Dev> model;
  std::vector<std::int32_t> ours;  ///< by the file's id
};

}  // namespace gradus::test
