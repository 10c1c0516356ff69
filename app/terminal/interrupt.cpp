#include "app/terminal/interrupt.hpp"

#include <unistd.h>

#include <csignal>
#include <cstring>

#include "app/terminal/console.hpp"

namespace gradus {
namespace {

volatile std::sig_atomic_t caught = 0, silent = 0, asked_to_save = 0;
const char* volatile message = "";

void note(int number) {
  caught = number;
  std::signal(number, SIG_DFL);
  const char* const text = message;
  if (silent == 0 && write(STDERR_FILENO, text, std::strlen(text)) < 0) return;  // the terminal is closed
}

void note_wish_to_save(int) { asked_to_save = 1; }

}  // namespace

void ignore_closed_pipes() { std::signal(SIGPIPE, SIG_IGN); }

void catch_interrupts(const char* answer) {
  message = answer;
  silent = console().quiet ? 1 : 0;
  ignore_closed_pipes();
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    // keeps a signal ignored, as under nohup
    if (std::signal(number, note) == SIG_IGN) std::signal(number, SIG_IGN);
  }
}
bool was_interrupted() { return caught != 0; }
bool was_ended_by_control_c() { return caught == SIGINT; }

void catch_wishes_to_save() { std::signal(SIGUSR1, note_wish_to_save); }

bool was_asked_to_save() {
  if (asked_to_save == 0) return false;
  asked_to_save = 0;
  return true;
}

}  // namespace gradus
