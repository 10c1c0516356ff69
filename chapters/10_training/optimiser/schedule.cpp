#include "10_training/optimiser/schedule.hpp"

#include <vector>

namespace gradus {

std::string names_with_an_end(const std::string& conjunction) {
  std::vector<std::string> names;
  for (const Name<ScheduleKind>& entry : Names<ScheduleKind>::table) {
    if (has_an_end(entry.value)) names.emplace_back(entry.name);
  }
  std::string phrase = names.front();
  for (std::size_t i = 1; i < names.size(); ++i)
    phrase += (i + 1 < names.size() ? ", " : " " + conjunction + " ") + names[i];
  return phrase;
}

double learning_rate(const Schedule& s, std::uint32_t step, std::uint32_t reductions) {
  if (step < s.warmup) return s.peak * step / s.warmup;
  return s.peak * form_of(s.kind).share(s, step, reductions);
}

}  // namespace gradus
