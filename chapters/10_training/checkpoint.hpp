#pragma once
/// \file
/// A run on disk. Files hold no time, no thread count and no machine, so that equal runs write equal files.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "10_training/plan.hpp"
#include "gradus/io/safetensors.hpp"
#include "gradus/params/layout.hpp"

namespace gradus {

/// What a run consists of beside its recipe: weights and both moments, flat as in the store.
template <class Real>
struct Snapshot {
  std::vector<Real> weights, m, v;
  TrainingState state;
  std::string metadata = {};             ///< whatever the caller wants to find again: UTF-8
  std::string skipped_checkpoints = {};  ///< what is wrong with newer checkpoints, which had to be passed over
  std::string recipe = {};               ///< of the checkpoint that was read
};

/// Whether the recipe of a checkpoint is that of the run that wants to go on with it.
using RecipeTest = std::function<bool(const std::string& stored)>;

/// The folder of a run. A checkpoint is written beside the last one and then takes its place, in such an order that a
/// process killed at any moment leaves a whole one behind.
class RunFolder {
 public:
  /// Makes the folder if need be. Throws Error if that cannot be done.
  explicit RunFolder(const std::string& path);

  const std::string& path() const { return path_; }
  bool has_checkpoint() const;

  /// Saves the run. `recipe` is any text that is the same for the same run. Throws Error, with the last checkpoint
  /// as it was, if the disk does not take it or a weight is not finite.
  template <class Real>
  void save(const Layout& layout, const Snapshot<Real>& snapshot, const std::string& recipe) const;

  /// The newest checkpoint that is whole. Throws Error if there is none, or if it belongs to another recipe.
  template <class Real>
  Snapshot<Real> load(const Layout& layout, const RecipeTest& is_ours) const;

  template <class Real>
  Snapshot<Real> load(const Layout& layout, const std::string& recipe) const {
    return load<Real>(layout, [&](const std::string& stored) { return stored == recipe; });
  }

  /// The recipe of the run that is stored here, and where it stands, by its newest checkpoint that can be read.
  std::string recipe() const;
  TrainingState state() const;

  /// Weights alone, under a name of their own ("best", "recent-0"). Throws Error, with the last ones of that name as
  /// they were, if the disk does not take them or one is not finite.
  template <class Real>
  void save_weights(const std::string& name, const Layout& layout, const std::vector<Real>& weights) const;

  /// The mean of several weights that were saved by name, element by element, in double.
  template <class Real>
  std::vector<Real> average(const std::vector<std::string>& names, const Layout& layout) const;

 private:
  std::string file(const std::string& name) const { return path_ + "/" + name + ".safetensors"; }
  void write(const std::string& name, const std::vector<TensorToStore>& tensors,
             const std::map<std::string, std::string>& metadata = {}) const;

  /// What `read` makes of the newest checkpoint that it does not find damaged. `skipped`: what is wrong with newer ones.
  template <class Read>
  auto from_newest(const Read& read, std::string& skipped) const;

  std::string path_;
};

/// The state as text, exact in every bit, and back. Throws Error for other text.
std::string to_text(const TrainingState& state);
TrainingState training_state(const std::string& text, const std::string& origin);

/// The weights in a file, by the layout's names. Throws Error if the file is not of such a model.
template <class Real>
std::vector<Real> load_weights(const std::string& path, const Layout& layout);

}  // namespace gradus
