#pragma once
/// \file
/// The student's process, as the grader sees it.

#include <sys/types.h>
#include <stdexcept>
#include <string>

#include "exercises/wire.hpp"

namespace gradus::test {

/// The student's process has ended: `what` is "time", "memory" or "crash". Its output tells more.
struct Ended : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class StudentProcess {
 public:
  /// `seconds`: of processor time, for each process. `output`: the file for all that the student's code prints.
  StudentProcess(std::string program, std::string output, unsigned seconds)
      : program_(std::move(program)), output_(std::move(output)), seconds_(seconds) {}
  ~StudentProcess() { end(); }
  StudentProcess(const StudentProcess&) = delete;
  StudentProcess& operator=(const StudentProcess&) = delete;

  /// Throws Ended if the process ends; the next call starts it again.
  Answer ask(const Request& request);

 private:
  void start();
  int end();

  std::string program_, output_;
  unsigned seconds_;
  pid_t process_ = -1;
  int to_ = -1, from_ = -1;
};

}  // namespace gradus::test
