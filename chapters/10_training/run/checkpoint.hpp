#pragma once
/// \file
/// A run on disk. Files contain no time, no thread count and no machine, so that equal runs write equal files.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "10_training/run/plan.hpp"
#include "gradus/io/safetensors.hpp"
#include "gradus/params/layout.hpp"

namespace gradus {

/// The content of a run besides its recipe: weights and both moments, flat.
template <class Real>
struct Snapshot {
  std::vector<Real> weights, m, v;
  TrainingState state;
  std::string metadata = {};             ///< any text of the caller's, UTF-8; a resumed run gets it back
  std::string skipped_checkpoints = {};  ///< the faults of newer checkpoints, which were skipped
  std::string recipe = {};               ///< of the checkpoint that was read
};

/// Whether the recipe of a checkpoint fits the run that wants to continue it.
using RecipeTest = std::function<bool(const std::string& stored)>;

/// The folder of a run. A new checkpoint is written beside the last one and then replaces it, in an order that
/// leaves a whole checkpoint if the process is killed at any moment.
class RunFolder {
 public:
  /// Makes the folder if it does not exist. Throws Error if that fails.
  explicit RunFolder(const std::string& path);

  const std::string& path() const { return path_; }
  bool has_checkpoint() const;

  /// Saves the run. `recipe` is any text that is equal for equal runs. If the disk fails or a weight is not finite,
  /// throws Error and leaves the last checkpoint unchanged.
  template <class Real>
  void save(const Layout& layout, const Snapshot<Real>& snapshot, const std::string& recipe) const;

  /// Loads the newest whole checkpoint. Throws Error if there is none, or if it belongs to another recipe.
  template <class Real>
  Snapshot<Real> load(const Layout& layout, const RecipeTest& is_ours) const;

  template <class Real>
  Snapshot<Real> load(const Layout& layout, const std::string& recipe) const {
    return load<Real>(layout, [&](const std::string& stored) { return stored == recipe; });
  }

  /// The newest readable checkpoint without its weights. Throws Error if there is none.
  struct Head {
    std::string file;  ///< its path
    std::string recipe;
    TrainingState state;
    std::string metadata;
  };
  Head head() const;
  std::string recipe() const { return head().recipe; }
  TrainingState state() const { return head().state; }

  /// Saves only the weights, under a name ("best", "recent-0"). If the disk fails or a weight is not finite, throws
  /// Error and leaves the last file of that name unchanged.
  template <class Real>
  void save_weights(const std::string& name, const Layout& layout, const std::vector<Real>& weights) const;

  /// The element-wise mean, in double, of several weights that were saved by name.
  template <class Real>
  std::vector<Real> average(const std::vector<std::string>& names, const Layout& layout) const;

 private:
  std::string file(const std::string& name) const { return path_ + "/" + name + ".safetensors"; }
  void write(const std::string& name, const std::vector<TensorToStore>& tensors,
             const std::map<std::string, std::string>& metadata = {}) const;

  /// The result of `read` for the newest checkpoint that it does not find damaged. `skipped`: the faults of newer
  /// ones.
  template <class Read>
  auto from_newest(const Read& read, std::string& skipped) const;

  std::string path_;
};

/// The state as text, exact in every bit, and back. The second throws Error for other text.
std::string to_text(const TrainingState& state);
TrainingState training_state(const std::string& text, const std::string& origin);

/// The weights in a file, by the layout's names. Throws Error if the file belongs to another model: a tensor is
/// missing, has another shape, or is one too many.
template <class Real>
std::vector<Real> load_weights(const SafetensorsFile& file, const Layout& layout);
template <class Real>
std::vector<Real> load_weights(const std::string& path, const Layout& layout) {
  return load_weights<Real>(SafetensorsFile::load(path), layout);
}

/// load_weights in two steps. The first throws Error if the file belongs to another model; unless it is a checkpoint, which has more
/// than weights, a tensor too many is a fault as well. The second writes the weights of a file that was checked, to memory for
/// layout.size() values.
void check_weights(const SafetensorsFile& file, const Layout& layout, bool is_checkpoint = false);
template <class Real>
void read_weights(Real* to, const SafetensorsFile& file, const Layout& layout);

}  // namespace gradus
