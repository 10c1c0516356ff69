#pragma once
/// \file
/// The student's process: it runs the cases of an exercise on the device whose code the student wrote. It links the
/// student's object in the place of the chapter's, and no judge.

#include <csignal>
#include <cstdio>
#include <exception>

#include "exercises/wire.hpp"
#include "support/case.hpp"

namespace gradus::test {

extern "C" void __sanitizer_print_stack_trace() __attribute__((weak));  // absent without a sanitizer

/// At the limit of processor time: prints where the code is, and ends as it would have ended.
inline void tell_where(int signal) {
  if (__sanitizer_print_stack_trace != nullptr) __sanitizer_print_stack_trace();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// One run of case `number`; `each_case(f)` calls f(case, golden file, bounds) for each case.
template <class Dev, class Exercise>
Answer answer(const Request& request) {
  Answer a;
  std::size_t number = 0;
  try {
    Exercise::each_case([&](const auto& one, const auto&...) {
      if (number++ == request.case_number) a.run = run_case<Dev>(one, request.values, request.options);
    });
  } catch (const std::exception& error) {
    a.is_error = true, a.error = error.what();
  }
  return a;
}

/// Answers requests until the grader closes the pipe. `prepare` is called with each request first.
template <class Dev, class Exercise, class Prepare>
int serve(Prepare&& prepare) {
  std::signal(SIGXCPU, tell_where);
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // what the student's code prints is there even after a crash
  for (Request request; receive(requests_from, request);) {
    prepare(request);
    send(answers_to, answer<Dev, Exercise>(request));
  }
  return 0;
}

}  // namespace gradus::test
