#include "11_translator/program/interrupt.hpp"

#include <csignal>

namespace gradus {
namespace {

volatile std::sig_atomic_t caught = 0;

void note(int number) {
  caught = 1;
  std::signal(number, SIG_DFL);
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, note);
  std::signal(SIGTERM, note);
}
bool was_interrupted() { return caught != 0; }

}  // namespace gradus
