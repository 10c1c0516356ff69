#pragma once
/// \file
/// Runs the program as a user does: a command line in, exit status and both streams out.

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "gradus/io/atomic_file.hpp"
#include "support/catch.hpp"

namespace gradus::test {

/// A test's own folder, empty at first and removed at the end.
struct Playground {
  explicit Playground(const std::string& name)
      : path((std::filesystem::temp_directory_path() / ("gradus-" + name + "-" + std::to_string(getpid())))
                 .string()) {
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
  }
  ~Playground() {
    std::error_code ignored;  // a test that fails may leave a program that still writes here
    std::filesystem::remove_all(path, ignored);
  }
  Playground(const Playground&) = delete;
  Playground& operator=(const Playground&) = delete;

  std::string file(const std::string& name) const { return path + "/" + name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(file(name), std::ios::binary) << text;
    return file(name);
  }
  std::string path;
};

/// The program to run. $GRADUS_PROGRAM names another one than this build's: tests/measure/mutation/mutants.py sets it.
inline std::string program_file() {
  const char* const other = std::getenv("GRADUS_PROGRAM");
  return other == nullptr ? GRADUS_PROGRAM_FILE : other;
}

struct Result {
  int status = 0;
  std::string out, err;
};

/// Runs `gradus ARGUMENTS` through the shell; `input` is its standard input.
inline Result gradus_program(const Playground& place, const std::string& arguments, const std::string& input = "") {
  const std::string in = place.write("stdin", input), out = place.file("stdout"), err = place.file("stderr");
  const std::string command = program_file() + " " + arguments + " <" + in + " >" + out + " 2>" + err;
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_file(out), read_file(err)};
}

/// `gradus ARGUMENTS` while it runs: its messages, and signals to it.
class Running {
 public:
  Running(const Playground& place, const std::string& arguments) : output_(place.write("said", "")) {
    const std::string line = "exec " + program_file() + " " + arguments + " 2>" + output_;
    child_ = fork();
    if (child_ != 0) return;
    // nohup makes programs ignore them
    for (const int number : {SIGHUP, SIGINT, SIGTERM}) std::signal(number, SIG_DFL);
    execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
    _exit(127);
  }
  ~Running() {
    if (child_ == 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  bool has_output(const std::string& part) const { return read_file(output_).find(part) != std::string::npos; }

  /// Waits until `ready`, a minute at most.
  template <class Ready>
  void wait_until(const Ready& ready) const {
    for (int i = 0; i < 3000 && !ready(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  void signal(int number) const { kill(child_, number); }
  pid_t process() const { return child_; }

  /// Waits for its end; the status has the form of waitpid's.
  int end() const {
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = 0;  // its number may be another program's from now on
    return status;
  }

 private:
  std::string output_;
  mutable pid_t child_ = 0;
};

inline std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// The lines that contain `part`. A toy model gets warnings of several causes, so tests count one cause.
inline std::string lines_with(const std::string& text, const std::string& part) {
  std::string found;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) found += line.find(part) == line.npos ? "" : line + '\n';
  return found;
}

/// Error messages. A model that has hardly learnt also gets warnings.
inline std::size_t complaints_in(const std::string& text) {
  std::size_t count = 0;
  for (auto at = text.find("gradus: "); at != text.npos; at = text.find("gradus: ", at + 1)) ++count;
  return count;
}

/// Translates greedily with the model in the playground's folder "run".
inline Result translate_with_run(const Playground& place, const std::string& rest, const std::string& input = "") {
  return gradus_program(place, "translate --beam-size 1 --model " + place.file("run") + " " + rest, input);
}

/// Requires: no result, this exit status, and one final error line that contains `about`.
inline void expect_refusal(const Result& r, const std::string& about, int status = 1) {
  INFO(r.err);
  CHECK(r.status == status);
  CHECK(r.out.empty());
  const std::size_t complaint = r.err.rfind("gradus: ");
  REQUIRE(complaint != std::string::npos);
  CHECK(r.err.find(about, complaint) != std::string::npos);
  CHECK(lines_in(r.err.substr(complaint)) == 1);
}

/// The options of a training that name the four files of the toy corpus.
inline std::string toy_corpus() {
  const std::string toy = std::string(GRADUS_CHAPTERS) + "/11_translator/toy/";
  return " --train-source " + toy + "train.en --train-target " + toy + "train.de --valid-source " + toy +
         "valid.en --valid-target " + toy + "valid.de ";
}

/// `more`, and before it those of the `usual` options, each a name and a value, that `more` does not give.
inline std::string with_usual(const std::string& usual, const std::string& more) {
  std::istringstream words(usual);
  std::string all = " ";
  for (std::string name, value; words >> name >> value;) {
    const std::string given = " " + more + " ";
    if (given.find(" " + name + " ") == given.npos && given.find(" " + name + "=") == given.npos)
      all += name + " " + value + " ";
  }
  return all + more;
}

/// The options of a training on the toy corpus that takes a second.
inline std::string toy_training(const std::string& output, const std::string& more = "") {
  return "train" + toy_corpus() + "--output " + output +
         with_usual(
             "--vocab-size 300 --d-model 16 --heads 2 --layers 1 --ffn 32 --epochs 2 --batch-tokens 600 "
             "--warmup 10",
             more);
}

/// A model from a training of some seconds, made once for all cases.
inline const std::string& toy_model() {
  static const Playground place("commands-model");
  static const std::string folder = [] {
    REQUIRE(gradus_program(place, toy_training(place.file("run"), "--epochs 40")).status == 0);
    return place.file("run");
  }();
  return folder;
}

}  // namespace gradus::test
