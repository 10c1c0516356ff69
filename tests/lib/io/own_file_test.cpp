// The files in the program's folders: nothing in such a folder leads a write out of it, or makes it wait.

#include "gradus/io/own_file.hpp"

#include <sys/stat.h>

#include <filesystem>

#include "gradus/io/folder.hpp"
#include "lib/io/files.hpp"
#include "support/catch.hpp"

using namespace gradus;
using gradus::test::contains;
using gradus::test::content;
using gradus::test::error_of;
using gradus::test::TemporaryFolder;
namespace fs = std::filesystem;

TEST_CASE("own files: what the user names is replaced only if it is of the kind that is written there") {
  const TemporaryFolder folder;
  const std::string path = folder.path("page");
  check_replaceable(path, "<html", "page");  // nothing is there
  for (const char* text : {"", "<html>", "<html"}) {
    std::ofstream(path, std::ios::binary) << text;
    check_replaceable(path, "<html", "page");
  }
  for (const char* text : {"<htm", "<HTML>", "weights", " <html"}) {
    std::ofstream(path, std::ios::binary) << text;
    CHECK_THAT(error_of([&] { check_replaceable(path, "<html", "page"); }), contains("is no page"));
    CHECK(content(path) == text);
  }
  check_replaceable("/dev/null", "<html", "page");
}

namespace {

using Write = void (*)(const std::string&);

const std::vector<Write> writers{
    [](const std::string& path) { write_own_file(path, "new"); },
    [](const std::string& path) {
      write_parts_atomically(path, {"ne", "w"}, Links::refuse);
    },
    [](const std::string& path) { write_all(open_own_file(path, false).get(), "new"); },
    [](const std::string& path) { write_all(open_own_file(path, true).get(), "new"); }};

}  // namespace

TEST_CASE("own file: it is made, replaced, or continued") {
  const TemporaryFolder folder;
  const std::string path = folder.path("run.json");
  write_own_file(path, "one");
  CHECK(content(path) == "one");
  write_own_file(path, "two");
  CHECK(content(path) == "two");
  write_all(open_own_file(path, true).get(), " more");
  CHECK(content(path) == "two more");
  write_all(open_own_file(path, false).get(), "3");
  CHECK(content(path) == "3");
  fs::permissions(path, fs::perms(0640));
  write_own_file(path, "four");
  CHECK(fs::status(path).permissions() == fs::perms(0640));
  CHECK(folder.names() == std::set<std::string>{"run.json"});
}

TEST_CASE("own file: a link is an error, whether its target exists or not, and both stay as they are") {
  const TemporaryFolder folder;
  const std::string victim = folder.write("victim", "precious");
  fs::create_directory(folder.path("run"));
  fs::create_symlink("../victim", folder.path("run/link"));
  fs::create_symlink("../new", folder.path("run/lost"));
  fs::create_symlink("round", folder.path("run/round"));
  fs::create_directory_symlink("..", folder.path("run/up"));
  for (const Write write : writers) {
    for (const char* name : {"run/link", "run/lost", "run/round", "run/up"}) {
      const std::string path = folder.path(name);
      CHECK(error_of([&] { write(path); }) == "cannot write " + path +
                                                  ": it is a symbolic link, and the program writes its own files "
                                                  "only; remove it, or give another folder");
      CHECK(fs::is_symlink(path));
    }
  }
  CHECK(content(victim) == "precious");
  CHECK(folder.names() == std::set<std::string>{"run", "victim"});
}

TEST_CASE("own file: a pipe, a device or a folder is an error at once") {
  const TemporaryFolder folder;
  const std::string pipe = folder.path("pipe"), below = folder.path("folder");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  fs::create_directory(below);
  for (const Write write : writers) {
    CHECK_THAT(error_of([&] { write(pipe); }), contains("it is a device or a pipe"));
    CHECK_THAT(error_of([&] { write(below); }), contains("it is a folder"));
    CHECK(error_of([&] { write(folder.path("no/where")); }) ==
          "cannot write " + folder.path("no/where") + ": No such file or directory");
  }
}

TEST_CASE("own file: another name of the file never gets the new content") {
  const TemporaryFolder folder;
  const std::string victim = folder.write("victim", "precious"), path = folder.path("part");
  fs::create_hard_link(victim, path);
  for (const bool at_end : {false, true})
    CHECK_THAT(error_of([&] { open_own_file(path, at_end); }), contains("the file has another name"));
  write_own_file(path, "new");
  CHECK(content(path) == "new");
  CHECK(content(victim) == "precious");
}

TEST_CASE("own file: a file that the user named is the program's own if it lies in the folder") {
  const TemporaryFolder folder;
  const std::string run = folder.path("run"), linked = folder.path("linked");
  CHECK(links_at(run + "/log", {run}) == Links::refuse);  // also before the folder is made
  fs::create_directory(run);
  fs::create_directory_symlink("run", linked);
  for (const std::string& same : {run, run + "/", run + "/.", linked, folder.path("no/../run")})
    CHECK(links_at(same + "/log", {run}) == Links::refuse);
  CHECK(links_at(folder.path("log"), {run}) == Links::follow);
  CHECK(links_at("log", {run}) == Links::follow);
  CHECK(links_at(run + "/log", {}) == Links::follow);
  CHECK(links_at(run + "/log", {"", "elsewhere", run}) == Links::refuse);
  fs::create_directories(folder.path("runner/sub"));  // a name that begins alike
  CHECK(links_at(folder.path("runner/log"), {run}) == Links::follow);
  fs::create_directories(run + "/sub/deep");
  CHECK(links_at(run + "/sub/deep/log", {run}) == Links::refuse);
  CHECK(links_at(run + "/sub/../../log", {run}) == Links::follow);
  fs::create_directory_symlink("run/sub", folder.path("inner"));
  CHECK(links_at(folder.path("inner/deep/log"), {run}) == Links::refuse);
  check_named_file("", {run});
}

TEST_CASE(
    "own file: a path that the user named leads out of a folder by no link in it, wherever the link is on the "
    "way") {
  const TemporaryFolder folder;
  const std::string run = folder.path("run");
  fs::create_directories(folder.path("elsewhere/below"));
  fs::create_directories(run + "/sub");
  fs::create_directory_symlink("run", folder.path("linked"));
  fs::create_directory_symlink("../elsewhere", run + "/samples");
  fs::create_directory_symlink("../../elsewhere", run + "/sub/samples");
  for (const std::string& path : {run + "/samples/log", run + "/samples/below/log", run + "/sub/samples/log",
                                  run + "/sub/../samples/log", run + "/samples/../log", run + "/./samples/log",
                                  folder.path("linked/samples/log"), run + "/samples/new/log"}) {
    INFO(path);
    CHECK_THAT(error_of([&] { links_at(path, {run}); }), contains("samples is a symbolic link"));
    CHECK_THAT(error_of([&] { check_links(path, {"", run}); }), contains("cannot write " + path + ": "));
  }
  CHECK_THAT(error_of([&] { check_links(run + "/samples/", {run}); }), contains("samples is a symbolic link"));
  check_links(run + "/samples", {run});  // its last name may be a link
  check_links(folder.path("linked/"), {run});
  check_links(run + "/sub/log", {run});
  check_links(run + "/../linked/log", {run});
  CHECK(links_at(run + "/../elsewhere/log", {run}) == Links::follow);
  CHECK_THAT(error_of([&] { check_named_file(run + "/samples/log", {run}); }),
             contains("samples is a symbolic link"));
  fs::create_symlink("../elsewhere/log", run + "/log");
  CHECK_THAT(error_of([&] { check_named_file(run + "/log", {run}); }), contains("it is a symbolic link"));
  check_named_file(run + "/log", {folder.path("elsewhere")});
}

TEST_CASE("folder: what the system refuses to tell is an error, and not the answer no") {
  const TemporaryFolder folder;
  fs::create_symlink("round", folder.path("round"));
  fs::create_directory_symlink(folder.path(""), folder.path("link"));
  CHECK(is_there(folder.path("link")));
  CHECK(is_folder(folder.path("link")));
  CHECK_FALSE(is_there(folder.path("none")));
  CHECK_FALSE(is_folder(folder.write("file", "") + "/below"));
  const std::string reason = ": Too many levels of symbolic links";
  CHECK(error_of([&] { is_there(folder.path("round")); }) == "cannot read " + folder.path("round") + reason);
  CHECK(error_of([&] { is_folder(folder.path("round")); }) == "cannot read " + folder.path("round") + reason);
}
