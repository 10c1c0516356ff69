#pragma once
/// \file
/// The tiny models of tests/golden/make_import.py and make_student.py, and what other programs computed with them.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "09_transformer/model.hpp"
#include "app/import/marian.hpp"
#include "app/import/marian_weights.hpp"
#include "app/import/model_rows.hpp"
#include "app/import/student_weights.hpp"
#include "gradus/device/device.hpp"
#include "gradus/io/atomic_file.hpp"
#include "gradus/io/safetensors.hpp"
#include "support/catch.hpp"
#include "support/judges.hpp"

namespace gradus::test {

inline std::string imported_folder(const std::string& name) {
  return std::string(GRADUS_GOLDEN) + "/import_" + name;
}
inline std::string student_folder(const std::string& name) { return imported_folder("student_" + name); }

/// The text with the first `before` in it replaced; there must be one.
inline std::string replaced(std::string text, const std::string& before, const std::string& after) {
  const std::size_t at = text.find(before);
  REQUIRE(at != text.npos);
  return text.replace(at, before.size(), after);
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

/// The stored batch of an imported model: sentences one after the other, without padding. `ours` has our ids for the file's.
struct StoredBatch {
  std::vector<std::int32_t> source, input, target, sources, targets;
  std::vector<std::size_t> cells;  ///< for each target row its place among the padded rows of the file

  StoredBatch(const std::vector<std::int32_t>& ours, const SafetensorsFile& file) {
    const std::vector<std::int64_t> ids = file.integers("source"), labels = file.integers("labels");
    const std::size_t B = file.shape("source")[0], S = file.shape("source")[1], T = file.shape("labels")[1];
    for (std::size_t b = 0; b < B; ++b) {
      sources.push_back(add(ours, ids, b * S, S, source));
      const std::size_t first = target.size();
      targets.push_back(add(ours, labels, b * T, T, target));
      input.push_back(Specials{}.bos);
      input.insert(input.end(), target.begin() + static_cast<std::ptrdiff_t>(first), target.end() - 1);
      for (std::size_t t = 0; t < static_cast<std::size_t>(targets.back()); ++t) cells.push_back(b * T + t);
    }
  }

  Batch<Cpu<double>> on(Cpu<double>& dev) const {
    return {on_device(dev, source), on_device(dev, SegmentTable::packed(sources)), on_device(dev, input),
            on_device(dev, SegmentTable::packed(targets)), on_device(dev, target)};
  }

 private:
  /// Adds the ids of one padded row; returns how many they are.
  static std::int32_t add(const std::vector<std::int32_t>& ours, const std::vector<std::int64_t>& ids,
                          std::size_t first, std::size_t length, std::vector<std::int32_t>& to) {
    std::int32_t count = 0;
    for (std::size_t k = first; k < first + length; ++k) {
      if (ids[k] < 0) continue;
      to.push_back(ours.at(static_cast<std::size_t>(ids[k])));
      ++count;
    }
    return count;
  }
};

/// How far the logits of the batch, of which the forward pass has made `c`, are from the file's.
inline double error_of_logits(Cpu<double>& dev, const Model<Cpu<double>>& model,
                              const TransformerCache<Cpu<double>>& c, const StoredBatch& stored,
                              const std::vector<std::int32_t>& ours, const SafetensorsFile& file) {
  using Dev = Cpu<double>;
  const std::size_t N = stored.target.size(), Vocab = ours.size();
  const Out<Dev, 2> logits = dev.kept.matrix(N, model.config.target_vocab);
  output_forward(dev, logits, c.output(), model.params.output);
  const std::vector<double> theirs = file.values<double>("logits");
  std::vector<double> found, expected;
  for (std::size_t n = 0; n < N; ++n) {
    for (std::size_t id = 0; id < Vocab; ++id) {
      found.push_back(logits.row(n)[static_cast<std::size_t>(ours[id])]);
      expected.push_back(theirs[stored.cells[n] * Vocab + id]);
    }
  }
  return relative_error(found, expected);
}

/// How far the logits of a model in Marian's own file are from those that numpy computed in the folder of `name`.
inline double error_of_student(const MarianFile& file, const ModelConfig& config, const std::string& name) {
  using Dev = Cpu<double>;
  Dev dev;
  const Model<Dev> model(dev, config);
  write(dev, model.flat(), student_weights<double>(file, config));
  const std::vector<std::size_t> rows = student_rows(config.target_vocab - 2);
  std::vector<std::int32_t> ours(rows.size() - 2);
  for (std::size_t id = 0; id < rows.size(); ++id) {
    if (rows[id] != no_row) ours.at(rows[id]) = static_cast<std::int32_t>(id);
  }
  const auto expected = SafetensorsFile::load(student_folder(name) + "/expected.safetensors");
  const StoredBatch stored(ours, expected);
  TransformerCache<Dev> c;
  transformer_forward(dev, c, stored.on(dev), model.params, model.config);
  return error_of_logits(dev, model, c, stored, ours, expected);
}

}  // namespace gradus::test
