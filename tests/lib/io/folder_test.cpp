#include "gradus/io/folder.hpp"

#include <filesystem>

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
