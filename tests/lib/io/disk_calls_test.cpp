#include "support/disk.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "gradus/io/atomic_file.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;
using Calls = std::vector<std::string>;
using Names = std::set<std::string>;

namespace {

const std::string old_bytes = "old", new_bytes(5000, 'n');

/// A folder with a file that is to be replaced.
struct OneFile {
  TemporaryFolder folder;
  std::string root = folder.path("data");
  std::string path = root + "/weights";
  OneFile() {
    std::filesystem::create_directory(root);
    folder.write("data/weights", old_bytes);
  }
  Names names() const {
    Names result;
    for (const auto& entry : std::filesystem::directory_iterator(root)) result.insert(entry.path().filename());
    return result;
  }
};

const Calls calls_of_a_write{"open weights.tmp",
                             "fchmod weights.tmp",
                             "write weights.tmp",
                             "fsync weights.tmp",
                             "close weights.tmp",
                             "rename weights.tmp weights",
                             "open .",
                             "fsync .",
                             "close .",
                             "unlink weights.tmp"};
const Calls calls_of_a_rename{"fsync weights", "rename weights model", "open .", "fsync .", "close ."};

}  // namespace

TEST_CASE("write_atomically: the bytes reach the disk before the renaming, and the folder after it") {
  const OneFile file;
  CHECK(disk_calls(file.root, "", [&] { write_atomically(file.path, new_bytes); }) == calls_of_a_write);
  CHECK(content(file.path) == new_bytes);
  Calls of_a_new_file = calls_of_a_write;  // there are no permissions to keep
  of_a_new_file.erase(of_a_new_file.begin() + 1);
  std::filesystem::remove(file.path);
  CHECK(disk_calls(file.root, "", [&] { write_atomically(file.path, new_bytes); }) == of_a_new_file);
}

TEST_CASE("write_atomically: every failed call is an error, and only the old file or the new one exists then") {
  for (std::size_t i = 0; i < calls_of_a_write.size(); ++i) {
    const std::string& call = calls_of_a_write[i];
    INFO(call);
    const OneFile file;
    std::string message;
    disk_calls(file.root, fault_at("broken", i + 1),
               [&] { message = error_of([&] { write_atomically(file.path, new_bytes); }); });
    const bool harmless = call == "close ." || call == "unlink weights.tmp";  // nothing was written, or is there
    const bool renamed = i > 5;
    if (harmless) {
      CHECK(message == "no error");
    } else if (renamed) {
      CHECK(message == "cannot bring to the disk the folder of " + file.path + ": Input/output error");
    } else {
      CHECK(message == "cannot write " + file.path + ": Input/output error");
    }
    CHECK(content(file.path) == (renamed ? new_bytes : old_bytes));
    CHECK(file.names() == Names{"weights"});
  }
}

TEST_CASE("write_atomically: after a write of a part of the bytes, the rest is written") {
  const OneFile file;
  const Calls calls = disk_calls(file.root, "short 1", [&] { write_atomically(file.path, new_bytes); });
  CHECK(content(file.path) == new_bytes);
  CHECK(std::count(calls.begin(), calls.end(), "write weights.tmp") == 13);  // 5,000 bytes, halved until 1 is left
}

TEST_CASE("write_atomically: a full disk leaves the old file unchanged") {
  const OneFile file;
  std::string message;
  disk_calls(file.root, "full 3", [&] { message = error_of([&] { write_atomically(file.path, new_bytes); }); });
  CHECK(message == "cannot write " + file.path + ": No space left on device");
  CHECK(content(file.path) == old_bytes);
  CHECK(file.names() == Names{"weights"});
}

TEST_CASE("write_atomically: a call that a signal interrupts is repeated, and the file is complete") {
  for (std::size_t i = 0; i < calls_of_a_write.size(); ++i) {
    const std::string& call = calls_of_a_write[i];
    if (call.compare(0, 6, "fchmod") == 0 || call.compare(0, 6, "rename") == 0)
      continue;  // these are never cut off
    INFO(call);
    const OneFile file;
    std::string message;
    const Calls calls = disk_calls(file.root, fault_at("interrupted", i + 1),
                                   [&] { message = error_of([&] { write_atomically(file.path, new_bytes); }); });
    CHECK(message == "no error");
    CHECK(content(file.path) == new_bytes);
    const bool closes = call.compare(0, 5, "close") == 0 || call.compare(0, 6, "unlink") == 0;
    CHECK(std::count(calls.begin(), calls.end(), call) == (closes ? 1 : 2));
  }
}

TEST_CASE("write_parts_atomically: all parts reach the disk before the renaming, or the old file stays") {
  Calls calls = calls_of_a_write;
  calls.insert(calls.begin() + 2, 2, "write weights.tmp");
  for (std::size_t i = 0; i <= 5; ++i) {  // 0: nothing fails
    const OneFile file;
    std::string message;
    const Calls made = disk_calls(file.root, fault_at("broken", i), [&] {
      message = error_of([&] { write_parts_atomically(file.path, {"one", "", "two", new_bytes}); });
    });
    if (i == 0) CHECK(made == calls);
    CHECK((message == "no error") == (i == 0));
    CHECK(content(file.path) == (i == 0 ? "onetwo" + new_bytes : old_bytes));
    CHECK(file.names() == Names{"weights"});
  }
}

TEST_CASE("rename_atomically: the file reaches the disk before the renaming, and the folder after it") {
  for (std::size_t i = 0; i <= calls_of_a_rename.size(); ++i) {  // 0: nothing fails
    const OneFile file;
    std::string message;
    const Calls calls = disk_calls(file.root, fault_at("broken", i), [&] {
      message = error_of([&] { rename_atomically(file.path, file.root + "/model"); });
    });
    const std::string call = i == 0 ? "none" : calls_of_a_rename[i - 1];
    INFO(call << " fails");
    if (i == 0) CHECK(calls == calls_of_a_rename);
    CHECK((message == "no error") == (i == 0 || call == "close ."));
    CHECK(file.names() == (i == 1 || i == 2 ? Names{"weights"} : Names{"model"}));
  }
}

TEST_CASE("write_atomically: bytes go directly into a pipe or a device, and a failed close is an error") {
  const OneFile file;
  const std::string pipe = file.root + "/pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  for (const bool fails : {false, true}) {
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    std::string message;
    const Calls calls = disk_calls(file.root, fails ? "broken 3" : "",
                                   [&] { message = error_of([&] { write_atomically(pipe, new_bytes); }); });
    ::close(reader);
    CHECK(calls == Calls{"open pipe", "write pipe", "close pipe"});
    CHECK(message == (fails ? "cannot write " + pipe + ": Input/output error" : "no error"));
  }
}
