#include "exercises/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <fstream>
#include <iterator>

namespace gradus::test {
namespace {

/// A process that sleeps or waits uses no processor time; so there is a limit on the clock's time for one answer too.
constexpr int most_milliseconds = 120'000;

void limit(int what, rlim_t most, rlim_t at_last) {
  const rlimit both{most, at_last};
  setrlimit(static_cast<__rlimit_resource_t>(what), &both);
}

/// In the child: pipes at their numbers, output into the file, limits; then the program.
[[noreturn]] void become(const std::string& program, const std::string& output, unsigned seconds, int requests,
                         int answers) {
  const int log = open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  const int in = fcntl(requests, F_DUPFD, 10), out = fcntl(answers, F_DUPFD, 10);
  dup2(log, STDOUT_FILENO), dup2(log, STDERR_FILENO);
  dup2(in, requests_from), dup2(out, answers_to);
  close(in), close(out);
  limit(RLIMIT_CPU, seconds, seconds + 5);  // SIGXCPU first, then SIGKILL
  limit(RLIMIT_CORE, 0, 0);
  limit(RLIMIT_FSIZE, 1U << 24, 1U << 24);
  std::signal(SIGXFSZ, SIG_IGN);  // more output is lost, and that is no crash
  execl(program.c_str(), program.c_str(), static_cast<char*>(nullptr));
  _exit(127);
}

bool says(const std::string& file, const std::string& words) {
  std::ifstream in(file);
  const std::string all{std::istreambuf_iterator<char>(in), {}};
  return all.find(words) != std::string::npos;
}

}  // namespace

void StudentProcess::start() {
  std::signal(SIGPIPE, SIG_IGN);
  int requests[2], answers[2];
  if (pipe2(requests, O_CLOEXEC) != 0 || pipe2(answers, O_CLOEXEC) != 0) throw Ended("crash");
  process_ = fork();
  if (process_ == 0) become(program_, output_, seconds_, requests[0], answers[1]);
  close(requests[0]), close(answers[1]);
  to_ = requests[1], from_ = answers[0];
}

int StudentProcess::end() {
  if (process_ < 0) return 0;
  close(to_), close(from_);
  int status = 0;
  kill(process_, SIGKILL);
  waitpid(process_, &status, 0);
  process_ = -1;
  return status;
}

Answer StudentProcess::ask(const Request& request) {
  if (process_ < 0) start();
  send(to_, request);
  pollfd waiting{from_, POLLIN, 0};
  Answer answer;
  const bool is_late = poll(&waiting, 1, most_milliseconds) == 0;
  if (!is_late && receive(from_, answer)) return answer;
  int status = 0;  // a process that has closed its pipe is about to end by itself
  if (!is_late && waitpid(process_, &status, 0) == process_) {
    close(to_), close(from_);
    process_ = -1;
  } else {
    status = end();
  }
  const bool is_killed = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
  if (says(output_, "hard rss limit exhausted") || says(output_, "out of memory") ||
      says(output_, "requested allocation size")) {
    throw Ended("memory");
  }
  throw Ended(is_late || is_killed ? "time" : "crash");
}

}  // namespace gradus::test
