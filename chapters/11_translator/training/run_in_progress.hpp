#pragma once
/// \file
/// A run in memory: from its folder's last checkpoint to its end.

#include "11_translator/training/training_run.hpp"
#include "11_translator/training/training_watch.hpp"

namespace gradus {

template <class Dev>
class RunInProgress {
 public:
  /// `folder` is this run's or empty, `recipe` what identifies it there. References must outlive the object.
  RunInProgress(const TrainingRequest& request, const TrainingData& data, const TrainingListener& listener,
                const RunFolder& folder, const std::string& recipe);

  /// Trains from the last checkpoint on, or from the beginning, until it is finished or stopped.
  TrainingEnd run();

 private:
  std::string file(const std::string& name) const { return folder_.path() + "/" + name; }
  bool interrupted() const { return listener_.interrupted && listener_.interrupted(); }
  void say(const std::string& line) const {
    if (listener_.say) listener_.say(line);
  }
  void begin();
  void write_history() const;
  TrainingControl control();
  [[noreturn]] void fail_step();
  std::vector<std::string> final_weights() const;
  void write_model();
  void write_report();

  const TrainingRequest& request_;
  const TrainingData& data_;
  const TrainingListener& listener_;
  const RunFolder folder_;
  const std::string recipe_;
  Dev dev_;
  Model<Dev> model_;
  Workers workers_;
  Trainer<Dev> trainer_;
  TrainingHistory history_;
};

}  // namespace gradus
