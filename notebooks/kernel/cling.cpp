// Cling for Python's ctypes: start it, run a piece of a cell. A piece that does not end on an
// interrupt, or that reads memory which is not there, is left by a jump out of the signal's handler.

#include <TError.h>
#include <TInterpreter.h>
#include <TROOT.h>
#include <dlfcn.h>
#include <pthread.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <memory>

namespace {

using CppyyLegacy::TInterpreter;

enum Result { done, rejected, interrupted, memory_fault, arithmetic_fault };

sigjmp_buf before_the_piece;
pthread_t runner;
volatile sig_atomic_t running = 0, ticks = 0;
struct sigaction saved[4];
const int signals[4] = {SIGINT, SIGALRM, SIGSEGV, SIGFPE};

void every_two_milliseconds(bool on) {
  const itimerval timer{{0, on ? 2000 : 0}, {0, on ? 2000 : 0}};
  setitimer(ITIMER_REAL, &timer, nullptr);
}

// Compiled code of a cell belongs to no file. Elsewhere a lock may be held, so an interrupt waits until the cell's own
// code runs again.
bool in_a_cell(const void* address) {
  Dl_info info;
  return dladdr(address, &info) == 0;
}

void on_signal(int signal, siginfo_t*, void* context) {
  if (!running) return;
  if (!pthread_equal(pthread_self(), runner)) {
    pthread_kill(runner, signal);
    return;
  }
  if (signal == SIGINT || signal == SIGALRM) {
    const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
    if (!in_a_cell(reinterpret_cast<const void*>(registers.gregs[REG_RIP]))) {
      constexpr char text[] =
          "The interrupt waits for a compiled function to return. To end it now, restart the kernel.\n";
      if (++ticks == 1) every_two_milliseconds(true);
      if (ticks == 1500 && write(2, text, sizeof text - 1) < 0) ticks = 0;
      return;
    }
  }
  siglongjmp(before_the_piece, signal);
}

void watch_signals(bool on) {
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  for (int i = 0; i < 4; ++i)
    on ? sigaction(signals[i], &action, &saved[i]) : sigaction(signals[i], &saved[i], nullptr);
  if (!on) every_two_milliseconds(false);
  ticks = 0;
  running = on;
}

}  // namespace

extern "C" int cling_start() {
  static char stack[1 << 16];  // for the handler, when the cell's own stack is full
  const stack_t handler_stack{stack, 0, sizeof stack};
  sigaltstack(&handler_stack, nullptr);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  runner = pthread_self();
  return CppyyLegacy::GetROOT() && TInterpreter::Instance() ? 0 : 1;
}

extern "C" int cling_run(const char* code) {
  int error = 0;
  const int signal = sigsetjmp(before_the_piece, 1);
  if (signal == 0) {
    watch_signals(true);
    TInterpreter::Instance()->ProcessLine(code, &error);
  }
  watch_signals(false);
  std::cout.flush();
  std::fflush(nullptr);
  switch (signal) {
    case 0:
      return error == 0 ? done : rejected;
    case SIGSEGV:
      return memory_fault;
    case SIGFPE:
      return arithmetic_fault;
    default:
      return interrupted;
  }
}

// libstdc++ leaves these to a library in C++20, and Cling finds them nowhere else.
template class std::allocator<char>;
template class std::allocator<wchar_t>;
