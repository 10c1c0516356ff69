#include "gradus/io/folder.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <ostream>

#include "lib/io/files.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;
namespace fs = std::filesystem;

TEST_CASE("folder: it is made with its parents, and an existing folder is not changed") {
  const TemporaryFolder place;
  make_folder(place.path("a/b/c"));
  CHECK(fs::is_directory(place.path("a/b/c")));
  place.write("a/b/file", "kept");
  make_folder(place.path("a/b"));
  make_folder(place.path("a/b/"));
  CHECK(content(place.path("a/b/file")) == "kept");
}

TEST_CASE("folder: a path that cannot be a folder is an error with its name, and nothing is created") {
  const TemporaryFolder place;
  const std::string file = place.write("file", "mine");
  CHECK(error_of([&] { make_folder(file); }) ==
        file + ": cannot make this folder: the path exists and is no folder");
  CHECK(error_of([&] { check_folder(file + "/"); }) ==
        file + "/: cannot make this folder: the path exists and is no folder");
  CHECK(error_of([&] { make_folder(file + "/below"); }) ==
        file + "/below: cannot make this folder: Not a directory");
  check_folder(place.path("not/yet"));
  CHECK(place.names() == std::set<std::string>{"file"});
}

namespace {

/// The error of check_writable_folder for a user who is not the administrator, who may write everywhere.
std::string refusal_for_a_user(const TemporaryFolder& place, const std::string& path) {
  const std::string answer = place.path("answer");
  const pid_t child = ::fork();
  if (child == 0) {
    std::ofstream file(answer);
    if (::geteuid() == 0 && ::setuid(65534) != 0) ::_exit(1);
    file << error_of([&] { check_writable_folder(path); }) << std::flush;
    ::_exit(0);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(status == 0);
  return content(answer);
}

}  // namespace

TEST_CASE("folder: whether one can be made or written is known before, and nothing is created") {
  const TemporaryFolder place, locked;
  const std::string file = place.write("file", "mine"), folder = locked.path("folder");
  check_writable_folder(place.path("not/yet"));
  check_writable_folder(place.path("") + "/.");
  CHECK(place.names() == std::set<std::string>{"file"});
  CHECK(error_of([&] { check_writable_folder(file + "/a/b"); }) ==
        file + "/a/b: cannot make this folder: Not a directory");
  CHECK(error_of([&] { check_writable_folder(file); }) ==
        file + ": cannot make this folder: the path exists and is no folder");
  fs::create_directory(folder);
  fs::permissions(locked.path(""), fs::perms(0755)), fs::permissions(folder, fs::perms(0555));
  CHECK(refusal_for_a_user(place, folder + "/") == folder + "/: cannot write in this folder: Permission denied");
  CHECK(refusal_for_a_user(place, folder + "/a/b") == folder + "/a/b: cannot make this folder: Permission denied");
  fs::permissions(folder, fs::perms(0777));
  CHECK(refusal_for_a_user(place, folder + "/a") == "no error");
}

TEST_CASE("folder: a link to a folder counts as that folder; a link without a target is an error and stays") {
  const TemporaryFolder place;
  fs::create_directory(place.path("real"));
  fs::create_directory_symlink(place.path("real"), place.path("link"));
  fs::create_directory_symlink(place.path("missing"), place.path("lost"));
  make_folder(place.path("link"));
  make_folder(place.path("link/below"));
  CHECK(fs::is_directory(place.path("real/below")));
  for (const std::string end : {"", "/"}) {
    CHECK(error_of([&] { make_folder(place.path("lost") + end); }) ==
          place.path("lost") + end + " is a link to " + place.path("missing") +
              ", which does not exist; make that folder, or remove the link");
  }
  CHECK(fs::is_symlink(place.path("lost")));
  CHECK_FALSE(fs::exists(place.path("missing")));
}

TEST_CASE("folder: a write goes to the target of links, even if the target does not exist") {
  const TemporaryFolder place;
  fs::create_directory(place.path("real"));
  fs::create_symlink("real/file", place.path("first"));  // seen from where the link lies
  fs::create_symlink(place.path("first"), place.path("second"));
  CHECK(file_behind(place.path("plain")) == place.path("plain"));
  CHECK(file_behind("no folder in it") == "no folder in it");
  CHECK(file_behind(place.path("second")) == place.path("real/file"));
  place.write("real/file", "there");
  CHECK(file_behind(place.path("second")) == place.path("real/file"));

  fs::create_symlink("gone/file", place.path("lost"));
  CHECK(error_of([&] { file_behind(place.path("lost")); }) == "cannot write " + place.path("lost") +
                                                                  ": it is a link to " + place.path("gone/file") +
                                                                  ", and there is no folder for that");
  fs::create_symlink("round", place.path("round"));
  CHECK(error_of([&] { file_behind(place.path("round")); }) ==
        "cannot write " + place.path("round") + ": its links lead in a circle");
}

TEST_CASE("folder: the number of links in a row has the limit of the system") {
  const TemporaryFolder place;
  fs::create_symlink(place.path("end"), place.path("0"));
  for (int i = 1; i < 41; ++i) fs::create_symlink(place.path(std::to_string(i - 1)), place.path(std::to_string(i)));
  CHECK(file_behind(place.path("39")) == place.path("end"));
  CHECK(error_of([&] { file_behind(place.path("40")); }).find("circle") != std::string::npos);
}

TEST_CASE("folder: a file needs an existing folder, which may be the current one") {
  const TemporaryFolder place;
  check_place("file");
  check_place("");
  check_place(place.path("file"));
  CHECK(error_of([&] { check_place(place.path("no/file")); }) ==
        "cannot write " + place.path("no/file") + ": there is no folder " + place.path("no"));
}
