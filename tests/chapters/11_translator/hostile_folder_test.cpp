/// \file
/// Folders of runs, models and data that come from strangers: no write leaves them, nothing waits for ever, and what cannot be read
/// now is not destroyed.

#include <sys/stat.h>

#include <filesystem>
#include <iterator>

#include "chapters/11_translator/program.hpp"
#include "chapters/11_translator/test_server.hpp"
#include "gradus/io/folder.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;
namespace fs = std::filesystem;

namespace {

/// A run of two steps that can go on.
struct Begun : Playground {
  explicit Begun(const std::string& name) : Playground(name), run(file("run")), command(toy_training(run)) {
    REQUIRE(gradus_program(*this, command + "--max-steps 2").status == 0);
  }
  void link(const std::string& name) const {
    fs::remove(run + "/" + name);
    fs::create_symlink("../victim", run + "/" + name);
  }
  std::string run, command;
};

}  // namespace

TEST_CASE("hostile folder: a link in a run is refused before the training, and its target stays") {
  const Begun place("run-links");
  const std::string victim = place.write("victim", "precious");
  for (const char* name : {"history.json", "timing.json", "report.html", "results.json", "weights.safetensors",
                           "model.json", "subwords.model", "best.safetensors", "checkpoint-next.safetensors"}) {
    INFO(name);
    const bool was_there = fs::exists(place.run + "/" + name);
    if (was_there) fs::rename(place.run + "/" + name, place.file("kept"));
    place.link(name);
    expect_refusal(gradus_program(place, place.command + "--max-steps 3"),
                   "cannot write " + place.run + "/" + name + ": it is a symbolic link");
    fs::remove(place.run + "/" + name);
    if (was_there) fs::rename(place.file("kept"), place.run + "/" + name);
  }
  CHECK(read_file(victim) == "precious");
  CHECK(gradus_program(place, place.command + "--max-steps 3").status == 0);
}

TEST_CASE("hostile folder: no command writes through a link in its folder") {
  const Begun place("links");
  const std::string victim = place.write("victim", "precious");
  place.link("report.html");
  expect_refusal(gradus_program(place, "report " + place.run), "report.html: it is a symbolic link");
  expect_refusal(gradus_program(place, "report " + place.run + " --output " + place.run + "/report.html"),
                 "report.html: it is a symbolic link");
  fs::remove(place.run + "/report.html");
  place.link("log.json");
  expect_refusal(gradus_program(place, place.command + "--max-steps 3 --log-json " + place.run + "/log.json"),
                 "log.json: it is a symbolic link");
  for (const std::string& command :
       {std::string("export --ctranslate2 "), std::string("average en-de en-de --output ")}) {
    for (const char* name : {"model.bin.next", "config.json", "weights.safetensors", "subwords.model"}) {
      const std::string folder = place.file("out");
      fs::remove_all(folder);
      fs::create_directory(folder);
      fs::create_symlink("../victim", folder + "/" + name);
      gradus_program(place, command + folder + " --overwrite");
      CHECK(read_file(victim) == "precious");
    }
  }
  const std::string data = place.file("data");
  fs::create_directory(data);
  fs::create_symlink("../victim", data + "/train.en.gz.part");
  const OneAnswerServer server("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nevil");
  expect_refusal(gradus_program(place, "data --output " + data + " --mirror " + server.address()),
                 "train.en.gz.part: it is a symbolic link");
  CHECK(read_file(victim) == "precious");
}

TEST_CASE("hostile folder: no command writes to a named file or folder through a link below a folder of its own") {
  const Begun place("links-below");
  const std::string other = place.file("other"), victim = place.file("elsewhere/victim.html");
  fs::create_directory(place.file("elsewhere"));
  place.write("elsewhere/victim.html", "precious");
  place.write("in", "Ein Hund.\n");
  REQUIRE(gradus_program(place, place.command + "--max-steps 3").status == 0);
  fs::create_directory_symlink("../elsewhere", place.run + "/samples");
  fs::create_symlink("../elsewhere/victim.html", place.run + "/page.html");
  fs::create_directory(place.file("data"));
  fs::create_directory_symlink("../elsewhere", place.file("data/samples"));
  for (const char* name : {"train.en", "train.de", "val.en", "val.de"}) {
    const std::string from = name[0] == 't' ? name : std::string("valid") + (name + 3);
    fs::copy(std::string(GRADUS_CHAPTERS) + "/11_translator/toy/" + from, place.file(std::string("data/") + name));
  }
  const std::string through = place.run + "/samples/victim.html", last = place.run + "/page.html";
  const std::string model = " --model " + place.run, in = place.file("in");
  const std::string by_data = "train --data " + place.file("data") + " --output ";
  const auto refused = [&](const std::string& words) {
    INFO(words);
    expect_refusal(gradus_program(place, words), "is a symbolic link");
    CHECK(read_file(victim) == "precious");
    CHECK(std::distance(fs::directory_iterator(place.file("elsewhere")), fs::directory_iterator()) == 1);
  };
  for (const std::string& path : {through, last}) {
    refused("report " + place.run + " --output " + path);
    refused("report " + place.run + " --csv " + path);
    refused("translate --input " + in + model + " --output " + path);
    refused("translate --input " + in + model + " --attention " + path);
    refused("evaluate --source " + in + " --reference " + in + model + " --output " + path);
    refused(place.command + "--max-steps 4 --log-json " + path);
    refused("data --output " + place.file("no") + model + " --ids " + path);
  }
  refused(place.command + "--max-steps 4 --ids " + place.run + "/samples/new.ids");
  refused("export --ctranslate2 " + place.run + "/samples/exported" + model);
  refused("export --ctranslate2 " + place.run + "/samples" + model);
  refused("average " + place.run + " " + place.run + " --output " + place.run + "/samples/mean");
  refused(by_data + place.file("data/samples/run"));
  refused(by_data + other + " --log-json " + place.file("data/samples/log"));
  refused(by_data + place.run + "/samples/again --init-from " + place.run);
  CHECK_FALSE(fs::exists(other));
}

TEST_CASE("hostile folder: a pipe in a run makes no command wait") {
  const Begun place("pipes");
  for (const char* name : {"history.json", "results.json", "timing.json", "report.html"}) {
    INFO(name);
    const std::string path = place.run + "/" + name;
    if (fs::exists(path)) fs::rename(path, place.file("kept"));
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    const Result trained = gradus_program(place, place.command + "--max-steps 3");
    expect_refusal(trained, "it is a device or a pipe");
    gradus_program(place, "report " + place.run);  // ends
    fs::remove(path);
    if (fs::exists(place.file("kept"))) fs::rename(place.file("kept"), path);
  }
}

TEST_CASE("hostile folder: a training ends at once while it waits for its text, and saves only once it has begun") {
  const Begun place("waiting");
  const std::string pipe = place.file("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  std::string command = toy_training(place.file("other"));
  const std::string text = std::string(GRADUS_CHAPTERS) + "/11_translator/toy/train.en";
  command.replace(command.find(text), text.size(), pipe);
  for (const int number : {SIGTERM, SIGINT}) {
    const Running training(place, command);
    training.wait_until([&] { return training.has_output("reading the text"); });
    training.signal(number);
    const int status = training.end();
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == number);
  }
}

TEST_CASE("hostile folder: a damaged or huge file that a run does not need is replaced") {
  const Begun place("optional");
  const std::string timing = place.run + "/timing.json";
  place.write("run/timing.json", "{");
  CHECK(gradus_program(place, place.command + "--max-steps 3").status == 0);
  fs::resize_file(timing, std::uintmax_t{1} << 40);
  CHECK(gradus_program(place, place.command + "--max-steps 4").status == 0);
  CHECK(fs::file_size(timing) < 10'000);
  fs::resize_file(place.run + "/history.json", std::uintmax_t{1} << 40);
  const Result report = gradus_program(place, "report " + place.run);
  CHECK(report.status == 0);
  CHECK(lines_with(report.err, "warning: ") == report.err);
  CHECK(lines_with(report.err, "history.json: it has 1099511627776 bytes") == report.err);
}

TEST_CASE("hostile folder: a checkpoint that cannot be read now is kept, and one that is damaged may be replaced") {
  const Begun place("unreadable");
  const std::string checkpoint = place.run + "/checkpoint.safetensors",
                    before = place.run + "/checkpoint-before.safetensors";
  fs::remove(before);
  fs::rename(checkpoint, place.file("kept"));
  fs::create_symlink("checkpoint.safetensors", checkpoint);  // the system refuses to open it, also for root
  CHECK(gradus_program(place, place.command + "--max-steps 3").err.find("--overwrite") == std::string::npos);
  const Result refused = gradus_program(place, "report " + place.run);
  CHECK(refused.status == 1);
  CHECK_THAT(refused.err, contains("checkpoint.safetensors: Too many levels of symbolic links"));
  CHECK(refused.err.find("--overwrite") == std::string::npos);
  fs::remove(checkpoint);
  fs::copy(place.file("kept"), checkpoint);
  const Result narrow = gradus_program(place, place.command + "--max-steps 3 --max-minutes 0");
  CHECK(narrow.status == 0);
  place.write("run/checkpoint.safetensors", "x");
  fs::remove(before);
  const Result damaged = gradus_program(place, place.command + "--max-steps 4");
  CHECK(damaged.status == 1);
  CHECK_THAT(damaged.err, contains("--overwrite"));
}

TEST_CASE("hostile folder: a circle of redirects ends") {
  const Playground place("redirects");
  const OneAnswerServer server(
      "HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  expect_refusal(gradus_program(place, "data --output " + place.file("data") + " --mirror " + server.address()),
                 "50");
}

TEST_CASE("hostile folder: a folder that cannot be made is refused before the text is read") {
  const Playground place("no-place");
  const std::string file = place.write("file", "mine");
  const Result r = gradus_program(place, toy_training(file + "/run"));
  expect_refusal(r, "/run: cannot make this folder: Not a directory");
  CHECK(lines_in(r.err) == 1);  // not "reading the text"
}

TEST_CASE(
    "hostile folder: without its checkpoints a run cannot go on, but its model can be the beginning of another") {
  const Begun place("no-checkpoints");
  fs::remove(place.run + "/checkpoint.safetensors"), fs::remove(place.run + "/checkpoint-before.safetensors");
  const Result r = gradus_program(place, place.command + "--quiet");
  expect_refusal(r, "but no run; give another --output, where --init-from " + place.run, 2);
  fs::remove(place.run + "/model.json");
  CHECK(gradus_program(place, place.command + "--quiet").err.find("--init-from") == std::string::npos);
}

TEST_CASE("hostile folder: a run in which another process works is refused before the text is read") {
  const Begun place("busy");
  const FolderLock other(place.run);
  const Result r = gradus_program(place, place.command);
  expect_refusal(r, "another process is working in this folder");
  CHECK(lines_in(r.err) == 1);
}
