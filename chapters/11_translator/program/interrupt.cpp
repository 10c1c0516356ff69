#include "11_translator/program/interrupt.hpp"

#include <unistd.h>

#include <csignal>

#include "11_translator/program/console.hpp"

namespace gradus {
namespace {

volatile std::sig_atomic_t caught = 0, silent = 0;

void note(int number) {
  caught = 1;
  std::signal(number, SIG_DFL);
  static constexpr char text[] = "\nfinishing this step and saving; once more stops at once\n";
  if (silent == 0 && write(STDERR_FILENO, text, sizeof text - 1) < 0) return;  // nobody is there to read it
}

}  // namespace

void catch_interrupts() {
  silent = console().quiet ? 1 : 0;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    if (std::signal(number, note) == SIG_IGN) std::signal(number, SIG_IGN);  // as under nohup
  }
}
bool was_interrupted() { return caught != 0; }

}  // namespace gradus
