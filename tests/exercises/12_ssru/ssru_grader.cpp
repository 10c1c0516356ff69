#include "exercises/12_ssru/ssru_exercise.hpp"
#include "exercises/grader.hpp"
#include "wrong/ssru.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

template <class Rules>
auto scan(const std::string& name) {
  return mistake<SsruExercise, wrong::RuledSsru<Cpu<double>, Rules>>(name);
}

}  // namespace

int main(int count, char** arguments) {
  Graded g = graded<SsruExercise>("12_ssru");
  g.mistakes = {scan<wrong::GateSwapped>("gate-swapped"), scan<wrong::StateNotReset>("state-not-reset"),
                scan<wrong::OneStepLate>("one-step-late"), scan<wrong::ReluCarried>("relu-carried"),
                scan<wrong::ThroughTimeForgotten>("through-time-forgotten")};
  return grade(g, count, arguments);
}
