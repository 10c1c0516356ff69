// Measures the limits of the warnings of a model that was trained by an earlier version, and writes them into its
// model.json.
//
//     bench_limits MODEL TRAIN_SOURCE TRAIN_TARGET VALID_SOURCE VALID_TARGET
//
// Its other fields, the limit of "unsure" too, stay as they are, and so do its other files.

#include <cstdio>
#include <exception>

#include "11_translator/training/training_watch.hpp"
#include "11_translator/translator/translator.hpp"
#include "gradus/io/atomic_file.hpp"
#include "gradus/text/packed_file.hpp"
#include "gradus/util/workers.hpp"

using namespace gradus;

namespace {

int measure(const std::string& folder, const LinePairs& train, const LinePairs& valid) {
  const ModelFiles model = load_model(folder);
  Workers workers(2);
  TrainingData data{{}, valid, model.tokenizers, {encoded(model.tokenizers.source, train.source, workers), {}}, {}};
  data.pairs.target.resize(data.pairs.source.size());
  const auto best =
      Translator::of(model, DeviceChoice::cpu).translate(valid.source, TranslateOptions::same_bits(2));
  ModelDescription d = stored_description(folder);
  d.limits = warning_limits(best, data);
  write_atomically(folder + "/model.json", to_json(d));
  std::size_t seen = 0;
  for (const bool piece : d.limits.source_pieces) seen += piece ? 1 : 0;
  std::printf("hesitant below %.4f, %zu of %zu pieces seen\n", *d.limits.hesitant_below, seen,
              d.limits.source_pieces.size());
  for (const std::string& code : d.limits.muted) std::printf("muted: %s\n", code.c_str());
  return 0;
}

}  // namespace

int main(int count, char** words) {
  if (count != 6) {
    std::fprintf(stderr, "usage: bench_limits MODEL TRAIN_SOURCE TRAIN_TARGET VALID_SOURCE VALID_TARGET\n");
    return 2;
  }
  try {
    return measure(words[1], read_pairs(words[2], words[3], read_packed_file),
                   read_pairs(words[4], words[5], read_packed_file));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_limits: %s\n", error.what());
    return 1;
  }
}
