#pragma once
/// \file
/// How the grader calls a student's code. It runs in a process of its own, so that a crash, an endless loop or too
/// much memory ends only that process. The grader sends a request for each run; the student's process answers.

#include <cstdint>
#include <string>

#include "support/component.hpp"

namespace gradus::test {

/// The number of a case, with its values; and the order in which a kernel's threads run.
struct Request {
  std::size_t case_number = 0;
  Values values;
  RunOptions options;
  int order = 0;  ///< 0 ascending, 1 descending, more: shuffled by this seed
};

/// The run, or the text of the error that the code threw.
struct Answer {
  Run run;
  bool is_error = false;
  std::string error;
};

/// The ends of the two pipes in the student's process.
constexpr int requests_from = 3, answers_to = 4;

/// Messages through a pipe. The functions that read return false if the other end has closed it.
void send(int file, const Request& request);
void send(int file, const Answer& answer);
bool receive(int file, Request& request);
bool receive(int file, Answer& answer);

}  // namespace gradus::test
