/// \file
/// Limits that a shell sets: on the size of files (ulimit -f) and on addresses (ulimit -v).

#include <map>
#include <sstream>

#include "11_translator/training/training_memory.hpp"
#include "chapters/11_translator/program.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

namespace fs = std::filesystem;

/// Runs `gradus ARGUMENTS` in a shell after `limits`, which apply to the program only. Standard output goes to the
/// file `output`, and so is limited; messages go through a pipe, which has no limit.
Result limited(const Playground& place, const std::string& limits, const std::string& arguments,
               const std::string& output = "stdout") {
  const std::string out = output[0] == '/' ? output : place.file(output), err = place.file("stderr"),
                    status = place.file("status");
  const std::string command = "{ ( " + limits + "; exec timeout --kill-after=5 30 " + program_file() + " " +
                              arguments + " >" + out + " </dev/null ) 3>&- ; echo $? >&3; } 3>" + status +
                              " 2>&1 | cat >" + err;
  REQUIRE(std::system(command.c_str()) == 0);
  return {std::stoi(read_file(status)), read_file(out), read_file(err)};
}

/// The name under which the system lists the program that runs after `limits`.
std::string name_of_process(const Playground& place, const std::string& limits) {
  const std::string name = place.file("name");
  const std::string command = "{ " + limits + "; sleep 20 | exec " + program_file() +
                              " translate >/dev/null 2>&1 & p=$!; sleep 1; cat /proc/$p/comm >" + name +
                              "; kill $p; } 2>/dev/null";
  REQUIRE(std::system(command.c_str()) == 0);
  return read_file(name);
}

std::vector<std::string> leftovers(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.find(".tmp") != name.npos) names.push_back(name);
  }
  return names;
}

/// Warnings of translations that came before the error do not count.
void expect_one_line(const Result& r, int status = 1) {
  INFO(r.err);
  CHECK(r.status == status);
  std::istringstream all(r.err);
  std::size_t errors = 0;
  for (std::string line; std::getline(all, line);) errors += line.rfind("warning: ", 0) != 0;
  CHECK(errors == 1);
}

}  // namespace

TEST_CASE("limits: under a limit on addresses the process has the name that it has without", "[memory]") {
  const Playground place("name");
  const std::string name = std::filesystem::path(program_file()).filename().string().substr(0, 15) + "\n";
  CHECK(name_of_process(place, "true") == name);
  CHECK(name_of_process(place, "ulimit -d 6000000") == name);
}

TEST_CASE("limits: a standard output at its size limit is an error of one line, in every command") {
  const Playground place("no-growth");
  const std::string text = std::string(GRADUS_CHAPTERS) + "/11_translator/toy/valid";
  const std::string& model = toy_model();
  const std::string lines = place.write("lines", "a b\n");
  for (const std::string& arguments :
       {std::string("--help"), std::string("--version"), "info " + model,
        "translate --model " + model + " 'A dog.'", "translate --model " + model + " --attention - 'A dog.'",
        "explain --model " + model + " 'A dog.'", "score --hypotheses " + lines + " --references " + lines,
        "evaluate --model " + model + " --source " + text + ".en --reference " + text + ".de",
        toy_training(place.file("run"), "--dump-config")}) {
    INFO(arguments);
    expect_one_line(limited(place, "ulimit -f 0", arguments));
  }
}

TEST_CASE("limits: a result file at its size limit is named, and no other file is left") {
  const Playground place("no-file");
  const std::string& model = toy_model();
  const std::string out = place.file("out");
  place.write("train.en.gz", "text");  // what `data` would fetch
  for (const std::string& arguments : {"translate --model " + model + " 'A dog.' --output " + out,
                                       "translate --model " + model + " 'A dog.' --attention " + out + ".html",
                                       "average " + model + " " + model + " --output " + out,
                                       "data --mirror file://" + place.path + " --output " + out}) {
    INFO(arguments);
    const Result r = limited(place, "ulimit -f 0", arguments, "/dev/null");
    expect_one_line(r);
    CHECK(leftovers(place.path).empty());
    CHECK(r.err.find(out) != r.err.npos);
  }
}

TEST_CASE("limits: a checkpoint at its size limit ends the training; the last one continues to the same bits") {
  const Playground place("no-checkpoint");
  const auto run = [&](const std::string& more) { return toy_training(place.file("run"), "--quiet " + more); };
  REQUIRE(gradus_program(place, toy_training(place.file("whole"), "--quiet")).status == 0);
  REQUIRE(gradus_program(place, run("--max-steps 2")).status == 0);
  const std::string before = read_file(place.file("run/checkpoint.safetensors"));

  const auto blocks = std::to_string(before.size() / 2 / 512);  // as sh counts; half of a checkpoint
  const Result r = limited(place, "ulimit -f " + blocks, run(""));
  expect_one_line(r);
  CHECK(r.err.find(place.file("run")) != r.err.npos);
  CHECK(r.err.find("File too large") != r.err.npos);
  CHECK(leftovers(place.file("run")).empty());
  CHECK(read_file(place.file("run/checkpoint.safetensors")) == before);

  CHECK(gradus_program(place, run("")).status == 0);
  CHECK(read_file(place.file("run/weights.safetensors")) == read_file(place.file("whole/weights.safetensors")));
}

TEST_CASE("limits: the program ends with one line, at once, wherever it runs out of address space", "[memory]") {
  const Playground place("addresses");
  const std::string sentence = "'A dog runs through the snow.'",
                    wanted = gradus_program(place, "translate " + sentence).out;
  int refused = 0, answered = 0;
  for (int megabytes = 40; megabytes <= 760; megabytes += megabytes < 120 ? 20 : 80) {
    const std::string limit = "ulimit -v " + std::to_string(1024 * megabytes);
    const Result version = limited(place, limit, "--version"),
                 r = limited(place, limit, "translate --threads 2 " + sentence);
    INFO(limit << ": " << version.err << r.err);
    const bool no_room = version.status == 1 && version.err.find("OpenBLAS takes 128 MB") != std::string::npos;
    CHECK((version.status == 0 || version.status == 127 || no_room));  // 127: the system cannot load the libraries
    CHECK(lines_in(version.out + version.err) == 1);
    CHECK((r.status == 0 || r.status == 1 || r.status == 127));
    CHECK(lines_in(r.out + r.err) == 1);
    if (r.status == 0) CHECK(r.out == wanted);
    ++(r.status == 0 ? answered : refused);
  }
  CHECK(refused >= 3);
  CHECK(answered >= 3);
}

TEST_CASE("limits: a library that asks for memory for ever is ended with one line", "[memory]") {
  const Playground place("for-ever");
  const Result r = limited(place, "export LD_PRELOAD=" GRADUS_ASKS_FOR_EVER "; ulimit -v 2000000", "--version");
  CHECK(r.status == 1);
  CHECK(lines_in(r.err) == 1);
  CHECK(r.err.find("OpenBLAS takes 128 MB of addresses") != r.err.npos);
}

TEST_CASE("limits: the memory for OpenBLAS's threads on a machine with 64 processors changes nothing", "[memory]") {
  const Playground place("processors");
  const std::string preload = "export LD_PRELOAD=" GRADUS_MANY_PROCESSORS "; ulimit -v ";
  for (const int megabytes : {160, 500, 1000, 2000}) {
    const std::string limit = std::to_string(1024 * megabytes);
    const Result r = limited(place, preload + limit, "--version"),
                 one = limited(place, "ulimit -v " + limit, "--version");
    INFO(megabytes << " MB: " << r.err);
    CHECK(r.status ==
          (megabytes < 500 ? one.status : 0));  // some versions take 128 MB for one thread as they are loaded
    CHECK(r.err == (megabytes < 500 ? one.err : ""));
  }
}

TEST_CASE("limits: a training that runs out of address space ends with one line", "[memory]") {
  const Playground place("training-addresses");
  const std::string training =
      toy_training(place.file("run"), "--quiet --overwrite --threads 2 --d-model 128 --ffn 512 --max-steps 2");
  for (const int megabytes : {160, 240, 320, 2000}) {
    const Result r = limited(place, "ulimit -v " + std::to_string(1024 * megabytes), training);
    INFO(megabytes << " MB: " << r.err);
    CHECK(r.status == (megabytes == 2000 ? 0 : 1));
    CHECK(lines_in(r.err) ==
          lines_in(lines_with(r.err, "is given more than once")) + static_cast<std::size_t>(r.status));
  }
}

TEST_CASE("limits: an export at its size limit leaves the older model whole") {
  const Playground place("no-export");
  const std::string folder = place.file("ct2"), command = "export --ctranslate2 " + folder;
  const auto files = [&] {
    std::map<std::string, std::string> found;
    for (const auto& entry : fs::directory_iterator(folder))
      found[entry.path().filename()] = read_file(entry.path());
    return found;
  };
  REQUIRE(gradus_program(place, command + " --model " + toy_model()).status == 0);
  const auto before = files();
  const std::string blocks = std::to_string(fs::file_size(folder + "/model.bin") / 2 / 512);  // as sh counts
  const Result r = limited(place, "ulimit -f " + blocks, command + " --overwrite --model " + toy_model());
  expect_one_line(r);
  CHECK(r.err.find(folder) != r.err.npos);
  CHECK(files() == before);
}

namespace {

/// The message of a training that does not fit into memory: one line, and no file is left.
std::string refused_training(const Playground& place, const std::string& limit, const std::string& sizes) {
  const Result r = limited(place, limit, toy_training(place.file("run"), sizes));
  expect_one_line(r);
  CHECK_FALSE(fs::exists(place.file("run")));
  return r.err;
}

}  // namespace

TEST_CASE("limits: a model that does not fit into memory is refused at once, with the memory that it needs") {
  const Playground place("too-large");
  const std::string largest = refused_training(place, "true", "--d-model 16384 --ffn 65536 --layers 256");
  INFO(largest);
  CHECK(largest.find("a training of 1924229365760 parameters") != largest.npos);  // eq:9.4, without words
  CHECK(largest.find("8 gradients") != largest.npos);
  CHECK(largest.find("needs 130847.6 GB of memory") != largest.npos);
}

TEST_CASE("limits: a limit on address space counts as a limit on memory", "[memory]") {
  const Playground place("too-large-here");
  const std::string said = refused_training(place, "ulimit -v 1500000", "--d-model 1024 --ffn 4096 --layers 4");
  CHECK(said.find("allows 1.5 GB") != said.npos);
}

TEST_CASE("limits: the words of the vocabulary count too, once the text is read", "[memory]") {
  const Playground place("many-words");
  ModelConfig model;
  model.d_model = 1024, model.ffn = 32, model.encoder_layers = model.decoder_layers = 1, model.tying = Tying::all;
  const auto need = [&](std::size_t words) {
    model.source_vocab = model.target_vocab = words;
    return training_memory(model, 8);
  };
  const double between = (need(4) + need(300)) / 2;  // bytes
  const Result r = limited(place, "ulimit -v " + std::to_string(static_cast<long>(between / 1024)),
                           toy_training(place.file("run"), "--quiet --d-model 1024 --ffn 32"));
  expect_one_line(r);
  CHECK(r.err.find("a training of " + std::to_string(parameter_count(model)) + " parameters") != r.err.npos);
}

TEST_CASE("limits: a file that does not fit into memory is refused with its size, not read", "[memory]") {
  const Playground place("large-file");
  fs::copy(toy_model(), place.file("run"), fs::copy_options::recursive);
  const std::string weights = place.file("run/weights.safetensors");
  const std::string header = "{\"w\":{\"data_offsets\":[0,3000000000],\"dtype\":\"F16\",\"shape\":[1500000000]}}";
  std::string length(8, '\0');
  length[0] = static_cast<char>(header.size());
  place.write("run/weights.safetensors", length + header);
  fs::resize_file(weights, 8 + header.size() + 3000000000);  // almost all of it is a hole
  const Result r = limited(place, "ulimit -v 1500000", "translate --model " + place.file("run") + " 'A dog.'");
  expect_one_line(r);
  CHECK(r.err.find(weights + " needs 3.0 GB of memory") != r.err.npos);
}

TEST_CASE("limits: a path that is not a regular file is refused at once wherever the program reads its own files") {
  const Playground place("no-files");
  fs::copy(toy_model(), place.file("run"), fs::copy_options::recursive);
  REQUIRE(std::system(("mkfifo " + place.file("pipe")).c_str()) == 0);
  fs::create_directory(place.file("folder"));
  for (const std::string& thing : {std::string("/dev/zero"), place.file("pipe"), place.file("folder")}) {
    for (const char* const name : {"model.json", "subwords.model", "weights.safetensors"}) {
      INFO(name << " leads to " << thing);
      const std::string path = place.file("run/") + name;
      fs::rename(path, place.file("kept"));
      fs::create_symlink(thing, path);
      const Result r = limited(place, "true", "translate --model " + place.file("run") + " 'A dog.'");
      expect_one_line(r);
      CHECK(r.err.find(path) != r.err.npos);
      fs::remove(path);
      fs::rename(place.file("kept"), path);
    }
    const Result r = limited(place, "true", toy_training(place.file("new"), "--config " + thing));
    INFO("--config " << thing);
    expect_one_line(r);
    CHECK(r.err.find(thing) != r.err.npos);
  }
  place.write("long", std::string(1'000'001, '#'));
  expect_one_line(limited(place, "true", toy_training(place.file("new"), "--config " + place.file("long"))));
}
