#include "10_training/optimiser/frozen.hpp"

#include <algorithm>
#include <string>

#include "gradus/util/error.hpp"

namespace gradus {
namespace {

bool is_frozen(const std::string& name, const FrozenParts& frozen) {
  const auto begins = [&](const char* part) { return name.rfind(part, 0) == 0; };
  return (frozen.embeddings && (begins("source_embedding") || begins("target_embedding"))) ||
         (frozen.encoder && begins("encoder.")) || (frozen.decoder && begins("decoder."));
}

}  // namespace

std::vector<ParameterRun> parameter_runs(const Layout& layout, const FrozenParts& frozen) {
  std::vector<Slice> slices = layout.slices();
  std::sort(slices.begin(), slices.end(), [](const Slice& a, const Slice& b) { return a.offset < b.offset; });
  std::vector<ParameterRun> runs;
  for (const Slice& s : slices) {
    const bool stays = is_frozen(s.name, frozen);
    if (runs.empty() || runs.back().is_frozen != stays) runs.push_back({{s.offset, s.offset}, stays});
    runs.back().at.end = s.offset + s.size();
  }
  if (std::all_of(runs.begin(), runs.end(), [](const ParameterRun& run) { return run.is_frozen; }))
    throw UsageError("every parameter is frozen, so nothing is left to train");
  return runs;
}

std::size_t trained_parameters(const Layout& layout, const FrozenParts& frozen) {
  std::size_t count = 0;
  for (const ParameterRun& run : parameter_runs(layout, frozen)) count += run.is_frozen ? 0 : run.at.size();
  return count;
}

}  // namespace gradus
