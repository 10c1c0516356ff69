#include "gradus/io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <thread>

#include "gradus/io/folder.hpp"
#include "lib/io/files.hpp"
#include "support/catch.hpp"

using namespace gradus;
using gradus::test::content;
using gradus::test::error_of;
using gradus::test::TemporaryFolder;
using Names = std::set<std::string>;
namespace fs = std::filesystem;

namespace {

std::string all_bytes(std::size_t size) {
  std::string bytes;
  while (bytes.size() < size) bytes.push_back(static_cast<char>(bytes.size() * 7 + bytes.size() / 256));
  return bytes;
}

/// A disk with room for `bytes` more: at its limit write() first writes fewer bytes than asked, and then none.
class NarrowDisk {
 public:
  explicit NarrowDisk(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_limit_);
    const rlimit narrow{bytes, old_limit_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &narrow);
  }
  NarrowDisk(const NarrowDisk&) = delete;
  NarrowDisk& operator=(const NarrowDisk&) = delete;
  ~NarrowDisk() {
    ::setrlimit(RLIMIT_FSIZE, &old_limit_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_limit_;
  void (*old_handler_)(int);
};

/// Sends a signal each millisecond, with an empty handler: a waiting call ends early with EINTR.
class Alarms {
 public:
  Alarms() {
    struct sigaction nothing {};
    nothing.sa_handler = [](int) {};
    ::sigaction(SIGALRM, &nothing, &old_action_);
    set_timer(1000);
  }
  Alarms(const Alarms&) = delete;
  Alarms& operator=(const Alarms&) = delete;
  ~Alarms() {
    set_timer(0);
    ::sigaction(SIGALRM, &old_action_, nullptr);
  }

 private:
  static void set_timer(suseconds_t microseconds) {
    const itimerval timer{{0, microseconds}, {0, microseconds}};
    ::setitimer(ITIMER_REAL, &timer, nullptr);
  }
  struct sigaction old_action_;
};

}  // namespace

TEST_CASE("a written file is read back, and the folder has no other file") {
  const TemporaryFolder folder;
  const std::string path = folder.path("weights");
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{4096}, std::size_t{3'000'000}}) {
    const std::string bytes = all_bytes(size);
    write_atomically(path, bytes);
    CHECK(content(path) == bytes);
    CHECK(read_file(path) == bytes);
    CHECK(folder.names() == Names{"weights"});
  }
}

TEST_CASE("a name without a folder is a file in the current folder") {
  const TemporaryFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path(""));
  write_atomically("here", "bytes");
  fs::current_path(before);
  CHECK(content(folder.path("here")) == "bytes");
}

TEST_CASE("a failed read is an error with the path and the reason") {
  const TemporaryFolder folder;
  const std::string file = folder.write("file", "x");
  const auto message = [](const std::string& path) { return error_of([&] { read_file(path); }); };
  CHECK(message(folder.path("missing")) == "cannot read " + folder.path("missing") + ": No such file or directory");
  CHECK(message(folder.path("")) == "cannot read " + folder.path("") + ": Is a directory");
  CHECK(message(file + "/below") == "cannot read " + file + "/below: Not a directory");
  CHECK(message("") == "cannot read : No such file or directory");
}

TEST_CASE("a failed write is an error with the path and the reason, and leaves no file") {
  const TemporaryFolder folder;
  const std::string file = folder.write("file", "old");
  fs::create_directory(folder.path("folder"));
  const auto message = [](const std::string& path) { return error_of([&] { write_atomically(path, "new"); }); };
  CHECK(message(file + "/below") == "cannot write " + file + "/below: Not a directory");
  CHECK(message(folder.path("no/where")) ==
        "cannot write " + folder.path("no/where") + ": No such file or directory");
  CHECK(message(folder.path("folder")) == "cannot write " + folder.path("folder") + ": Is a directory");
  CHECK(folder.names() == Names{"file", "folder"});
  CHECK(content(file) == "old");
}

TEST_CASE("a full disk keeps the old file and no part of the new one") {
  const TemporaryFolder folder;
  const std::string path = folder.write("weights", "old");
  std::string message;
  {
    const NarrowDisk disk(10'000);
    message = error_of([&] { write_atomically(path, all_bytes(20'000)); });
  }
  CHECK(message == "cannot write " + path + ": File too large");
  CHECK(content(path) == "old");
  CHECK(folder.names() == Names{"weights"});
}

TEST_CASE("a folder belongs to one process at a time") {
  const TemporaryFolder folder;
  const std::string path = folder.path("run");
  {
    const FolderLock first(path);  // makes it
    folder.write("run/weights.tmp-0123456789abcdef", "half");
    CHECK(error_of([&] { FolderLock second(path); }) ==
          path + ": another process is working in this folder; wait for its end, or give another one");
    CHECK(fs::exists(path + "/weights.tmp-0123456789abcdef"));
  }
  const FolderLock third(path);
  CHECK(fs::is_empty(path));
  const FolderLock nowhere(folder.write("file", "") + "/below");  // writing there reports the error
}

TEST_CASE("a folder is locked even if the standard input is closed") {  // the folder then gets its number, 0
  const TemporaryFolder folder;
  const int input = ::dup(0);
  ::close(0);
  std::string refusal;
  {
    const FolderLock first(folder.path("run"));
    refusal = error_of([&] { FolderLock second(folder.path("run")); });
  }
  const bool is_given_back = ::fcntl(0, F_GETFD) < 0;
  ::dup2(input, 0);
  ::close(input);
  CHECK(refusal.find("another process is working in this folder") != std::string::npos);
  CHECK(is_given_back);
}

TEST_CASE("pipes and devices are written into and not replaced") {
  // This test names no device of this machine: an error in the code under test would replace it by a file.
  const TemporaryFolder folder;
  const std::string pipe = folder.path("pipe"), bytes = all_bytes(300'000);  // several times what a pipe holds
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);

  std::string received;
  std::thread reader([&] { received = read_file(pipe); });
  write_atomically(pipe, bytes);
  reader.join();
  CHECK(received == bytes);

  const auto old_handler = std::signal(SIGPIPE, SIG_IGN);
  std::thread impatient([&] { std::ifstream(pipe).get(); });  // reads a little, and leaves
  CHECK(error_of([&] { write_atomically(pipe, bytes); }) == "cannot write " + pipe + ": Broken pipe");
  impatient.join();
  std::signal(SIGPIPE, old_handler);
  CHECK(folder.names() == Names{"pipe"});
}

TEST_CASE("a file that is the standard output is written into: it keeps its content, and more can follow") {
  const TemporaryFolder folder;
  const std::string path = folder.write("all", "before\n");
  const int output = ::open(path.c_str(), O_WRONLY | O_APPEND), kept = ::dup(STDOUT_FILENO);
  ::dup2(output, STDOUT_FILENO);
  write_atomically(path, "new\n");
  const bool follows = ::write(STDOUT_FILENO, "after\n", 6) == 6;
  ::dup2(kept, STDOUT_FILENO);
  ::close(kept);
  ::close(output);
  CHECK(follows);
  CHECK(content(path) == "before\nnew\nafter\n");
  CHECK(folder.names() == Names{"all"});
}

TEST_CASE("signals that interrupt system calls do not disturb reading and writing") {
  const TemporaryFolder folder;
  const std::string pipe = folder.path("pipe"), bytes = all_bytes(300'000);
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  std::string received;
  {
    const Alarms every_millisecond;
    std::thread reader([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the writer waits in open() meanwhile
      received = read_file(pipe);
    });
    write_atomically(pipe, bytes);
    reader.join();
  }
  CHECK(received == bytes);
}

TEST_CASE("a link to a file that does not exist stays a link, and a write makes that file") {
  const TemporaryFolder folder;
  const auto link = [&](const std::string& to, const std::string& name) {
    fs::create_symlink(to, folder.path(name));
    return folder.path(name);
  };
  fs::create_directory(folder.path("there"));
  const std::string first = link("there/file", "first"), second = link("first", "second");
  write_atomically(second, "new");
  CHECK(fs::read_symlink(first) == "there/file");
  CHECK(fs::read_symlink(second) == "first");
  CHECK(read_file(folder.path("there/file")) == "new");
  fs::create_symlink("../back", folder.path("there/up"));  // as seen from the folder of the link
  write_atomically(folder.path("there/up"), "up");
  CHECK(read_file(folder.path("back")) == "up");

  const std::string nowhere = link("no/file", "nowhere"), circle = link("circle", "circle");
  const std::string complaint = error_of([&] { write_atomically(nowhere, "new"); });
  CHECK(complaint.find(nowhere + ": it is a link to " + folder.path("no/file") + ", and there is no folder") !=
        std::string::npos);
  CHECK(fs::read_symlink(nowhere) == "no/file");
  CHECK(error_of([&] { write_atomically(circle, "new"); }).find("lead in a circle") != std::string::npos);
  CHECK(fs::is_symlink(circle));
  CHECK(folder.names() == Names{"back", "circle", "first", "nowhere", "second", "there"});
}

TEST_CASE("permissions are kept, and a write to a link replaces the file behind it") {
  const TemporaryFolder folder;
  const std::string path = folder.write("file", "old"), link = folder.path("link");
  fs::permissions(path, fs::perms(0640));
  fs::create_symlink("file", link);
  write_atomically(link, "new");
  CHECK(fs::is_symlink(link));
  CHECK(content(path) == "new");
  CHECK(fs::status(path).permissions() == fs::perms(0640));
  CHECK(folder.names() == Names{"file", "link"});
}

TEST_CASE("a reader never sees a part of a file, however often it is replaced") {
  const TemporaryFolder folder;
  const std::string path = folder.path("file");
  const std::string one(200'000, '1'), two(100'000, '2');
  write_atomically(path, one);
  std::thread writer([&] {
    for (int i = 0; i < 20; ++i) write_atomically(path, i % 2 == 0 ? two : one);
  });
  int parts = 0;
  for (int i = 0; i < 200; ++i) {
    const std::string seen = read_file(path);
    if (seen != one && seen != two) ++parts;
  }
  writer.join();
  CHECK(parts == 0);
}
