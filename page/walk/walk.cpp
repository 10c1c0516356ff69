#include "walk/walk.hpp"

#include <optional>
#include <string>
#include <utility>

#include "07_encoder/tiny_model.hpp"
#include "09_transformer/greedy.hpp"
#include "10_training/optimiser/schedule.hpp"
#include "walk/devices.hpp"
#include "walk/flow.hpp"
#include "wrong/add_norm.hpp"
#include "wrong/attention.hpp"

namespace gradus::page {
namespace {

template <class Dev>
class WalkOn : public Walk {
 public:
  WalkOn(const Task& task, std::uint64_t seed)
      : task_(task), seed_(seed), model_(dev_, task.config), corpus_(dev_, task.pairs, {}) {
    if (seed == 0)
      tiny::load(dev_, model_.flat(), model_.layout);
    else
      initialise(dev_, model_.flat(), model_.layout, {Initialisation::xavier, 0, seed});
  }

  const Layout& layout() const override { return model_.layout; }
  Out<Cpu<double>, 1> weights() override { return model_.flat(); }

  WalkStep step(const WalkPlan& plan) override {
    begin(plan);
    ++step_;
    const double rate = learning_rate({ScheduleKind::inverse_sqrt, plan.peak, plan.warmup}, step_);
    return {training_->run(next_batch(), {seed_, step_, rate}), rate};
  }

  std::vector<std::vector<std::int32_t>> says(const IdPairs& pairs) override {
    std::vector<Sentence> sources = pairs.source;
    for (Sentence& s : sources) s.push_back(Specials{}.eos);
    return greedy_decode(dev_, sources, model_.params, model_.config);
  }

  Tensors flow(const IdPairs& pairs, std::uint32_t pair, double smoothing) override {
    return flow_of(model_, pack({pair}, pairs, {}), smoothing);
  }

 private:
  /// Another optimiser, or smoothing, is another training.
  void begin(const WalkPlan& plan) {
    if (training_ && plan.optimiser == plan_.optimiser && plan.smoothing == plan_.smoothing) return;
    plan_ = plan;
    OptimiserOptions options;
    options.kind = plan.optimiser;
    training_.emplace(model_, corpus_, 1, plan.smoothing, options, workers_);
  }

  std::size_t next_batch() {
    if (next_ == corpus_.batches().size()) {
      corpus_.set_batches(dev_, make_batches(task_.pairs, {0, task_.batch}, seed_, ++epoch_));
      next_ = 0;
    }
    return next_++;
  }

  const Task& task_;
  std::uint64_t seed_;
  Dev dev_;
  Model<Dev> model_;
  Corpus<Dev> corpus_;
  Workers workers_{1};
  WalkPlan plan_;
  std::optional<TrainingStep<Dev>> training_;
  std::uint32_t step_ = 0, epoch_ = 0;
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<Walk> make_walk(const Task& task, Without without, std::uint64_t seed) {
  using Plain = Cpu<double>;
  if (seed == 0 && !task.has_learnt) fail("the book has no learnt weights for " + task.name);
  switch (without) {
    case Without::nothing:
      return std::make_unique<WalkOn<Noting<Plain>>>(task, seed);
    case Without::scale:
      return std::make_unique<WalkOn<Noting<wrong::NoScale<Plain>>>>(task, seed);
    case Without::residuals:
      return std::make_unique<WalkOn<Noting<wrong::NoResidual<Plain>>>>(task, seed);
    case Without::norms:
      return std::make_unique<WalkOn<Noting<NoNorm<Plain>>>>(task, seed);
  }
  fail("there is no such model");
}

}  // namespace gradus::page
