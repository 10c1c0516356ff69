#include "11_translator/data_set.hpp"

#include "chapters/11_translator/program.hpp"
#include "gradus/util/sha256.hpp"
#include "lib/io/files.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// Two files behind an address that libcurl reads without a network.
struct Mirror {
  Playground place{"mirror"};
  DataSet set{"test set", "file://" + place.path, {}, "", ""};
  std::string folder = place.file("data");
  std::vector<std::string> said;

  Mirror() {
    for (const std::string name : {"one", "two"}) {
      const std::string text = "the text of file " + name;
      place.write(name, text);
      set.files.push_back({name, sha256(text)});
    }
  }
  bool fetch(bool go_on = true) {
    said.clear();
    return fetch_data(set, set.mirror, folder,
                      {[&](const std::string& text) { said.push_back(text); },
                       [&](const std::string&, std::uint64_t, std::uint64_t) { return go_on; }});
  }
  std::string held(const std::string& name) const { return read_file(folder + "/" + name); }
};

}  // namespace

TEST_CASE("data: files are fetched once, and their checksums decide") {
  Mirror m;
  CHECK(m.fetch());
  CHECK(m.held("one") == "the text of file one");
  CHECK(m.said == std::vector<std::string>{"one is fetched", "two is fetched"});
  CHECK(m.fetch());
  CHECK(m.said == std::vector<std::string>{"one is there", "two is there"});

  m.place.write("data/two", "something else");  // damaged on our side: fetched again
  CHECK(m.fetch());
  CHECK(m.held("two") == "the text of file two");
}

TEST_CASE("data: a beginning is gone on with, a wrong one is not kept") {
  Mirror m;
  std::filesystem::create_directories(m.folder);
  m.place.write("data/one.part", "THE text");  // were the whole fetched, this beginning would be mended
  CHECK(error_of([&] { m.fetch(); }).find("checksum") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(m.folder + "/one"));
  CHECK_FALSE(std::filesystem::exists(m.folder + "/one.part"));

  m.place.write("data/one.part", "the text");
  CHECK(m.fetch());
  CHECK(m.held("one") == "the text of file one");
}

TEST_CASE("data: a stopped download says so, and the next goes on") {
  Mirror m;
  CHECK_FALSE(m.fetch(false));
  CHECK_FALSE(std::filesystem::exists(m.folder + "/one"));
  CHECK(m.fetch());
  CHECK(m.held("two") == "the text of file two");
}

TEST_CASE("data: without a network the message says what else can be done") {
  Mirror m;
  m.set.mirror = "http://127.0.0.1:9";  // nobody listens there
  const std::string message = error_of([&] { m.fetch(); });
  INFO(message);
  CHECK(message.find("127.0.0.1") != std::string::npos);
  CHECK(message.find("--from") != std::string::npos);
  m.set.mirror = "file://" + m.place.file("nowhere");
  CHECK(error_of([&] { m.fetch(); }).find("--mirror") != std::string::npos);
}

TEST_CASE("data: a folder of this machine will do, if it holds the right files") {
  Mirror m;
  copy_data(m.set, m.place.path, m.folder, {});
  CHECK(m.held("two") == "the text of file two");
  std::filesystem::remove_all(m.folder);
  m.place.write("two", "another text");
  CHECK(error_of([&] { copy_data(m.set, m.place.path, m.folder, {}); }).find("two has another checksum") !=
        std::string::npos);
  std::filesystem::remove(m.place.file("two"));
  CHECK(error_of([&] { copy_data(m.set, m.place.path, m.folder, {}); }).find("is missing") != std::string::npos);
}
