#include <map>

#include "11_translator/training/training_run.hpp"
#include "chapters/11_translator/program.hpp"
#include "gradus/util/process.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

TrainingRequest toy_request(const std::string& output) {
  const std::string toy = std::string(GRADUS_CHAPTERS) + "/11_translator/toy/";
  TrainingRequest r;
  r.train_source = toy + "train.en", r.train_target = toy + "train.de";
  r.valid_source = toy + "valid.en", r.valid_target = toy + "valid.de";
  r.output = output;
  r.tokenizer.vocab_size = 300;
  r.model.d_model = 16, r.model.heads = 2, r.model.ffn = 32;
  r.model.encoder_layers = r.model.decoder_layers = 1;
  r.model.tying = Tying::all;
  r.plan.batches.tokens = 600;
  r.plan.schedule.warmup = 10;
  return r;
}

}  // namespace

// The first of this file, because a peak never falls.
TEST_CASE("memory: a training needs no more in its thirtieth epoch than in its tenth", "[memory]") {
  return_large_blocks();  // as the program does
  const Playground place("memory");
  TrainingRequest request = toy_request(place.file("run"));
  request.plan.epochs = 30;
  std::map<std::uint32_t, std::size_t> peak;  // at the end of each epoch
  TrainingListener listener;
  listener.on_step = [&](const StepReport& report, std::uint32_t) { peak[report.epoch] = peak_memory(); };
  REQUIRE(train(request, listener) == TrainingEnd::finished);
  REQUIRE(peak.size() == 30);
  INFO("MB after epochs 1, 2, 10 and 30: " << peak[1] / 1e6 << ", " << peak[2] / 1e6 << ", " << peak[10] / 1e6
                                           << ", " << peak[30] / 1e6);
  CHECK(peak[30] <= peak[10] + (1U << 20U));
}

TEST_CASE("memory: the peak of this process is known, and grows with it") {
  const std::size_t before = peak_memory();
  REQUIRE(before > 0);
  const std::vector<char> more(before + (64U << 20U), 1);
  CHECK(peak_memory() >= before + (32U << 20U));
  CHECK(more.back() == 1);
}
