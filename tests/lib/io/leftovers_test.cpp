// The temporary files that killed processes leave.

#include <chrono>
#include <filesystem>

#include "gradus/io/atomic_file.hpp"
#include "lib/io/files.hpp"
#include "support/catch.hpp"

namespace fs = std::filesystem;
using namespace gradus;
using namespace gradus::test;
using Names = std::set<std::string>;

TEST_CASE("temporary files of killed processes are removed, and no other files") {
  const TemporaryFolder folder;
  folder.write("weights.tmp-0123456789abcdef", "hal");
  const Names kept = {"weights",
                      "weights.tmp",
                      "weights.tmp-",
                      "a.tmp-0123456789abcdeX",
                      ".tmp-0123456789abcdef",
                      "weights.tmp-0123456789abcdef.txt",
                      "weights.tmp-123456789abcdef"};
  for (const std::string& name : kept) folder.write(name, "mine");
  remove_leftovers(folder.path(""));
  CHECK(folder.names() == kept);
  remove_leftovers(folder.path("nowhere"));
}

TEST_CASE("old temporary files of one file are removed; young ones may belong to a process that writes") {
  const TemporaryFolder folder;
  const auto aged = [&](const std::string& name, int minutes) {
    fs::last_write_time(folder.write(name, "half"),
                        fs::file_time_type::clock::now() - std::chrono::minutes(minutes));
  };
  aged("ids.tmp-0123456789abcdef", 61);
  aged("ids.tmp-0123456789abcde0", 59);
  aged("other.tmp-0123456789abcdef", 61);
  aged("ids", 61);
  fs::create_symlink("ids", folder.path("link"));
  const Names kept = {"ids", "ids.tmp-0123456789abcde0", "link", "other.tmp-0123456789abcdef"};
  remove_old_leftovers(folder.path("link"));  // the temporary file stands beside the file, not beside the link
  CHECK(folder.names() == kept);
  remove_old_leftovers(folder.path("nowhere/ids"));
  const auto before = fs::current_path();
  fs::current_path(folder.path(""));
  remove_old_leftovers("other");
  fs::current_path(before);
  CHECK(folder.names() == Names{"ids", "ids.tmp-0123456789abcde0", "link"});
}
