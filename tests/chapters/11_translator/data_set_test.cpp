#include "11_translator/data/multi30k.hpp"

#include <sys/resource.h>

#include <csignal>
#include <set>

#include "chapters/11_translator/program.hpp"
#include "chapters/11_translator/test_server.hpp"
#include "gradus/io/folder.hpp"
#include "gradus/util/digest.hpp"
#include "lib/io/files.hpp"
#include "multi30k.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// Two files at an address that libcurl reads without a network.
struct Mirror {
  Playground place{"mirror"};
  DataSet set{"test set", "file://" + place.path, {}, "", ""};
  std::string folder = place.file("data");
  std::vector<std::string> said;
  std::pair<std::uint64_t, std::uint64_t> of_one;  ///< the last progress of file "one"

  Mirror() {
    for (const std::string name : {"one", "two"}) {
      const std::string text = "the text of file " + name;
      place.write(name, text);
      set.files.push_back({name, sha256(text), text.size()});
    }
  }
  bool fetch(bool go_on = true) {
    said.clear();
    return fetch_data(set, set.mirror, folder,
                      {[&](const std::string& text) { said.push_back(text); },
                       [&](const std::string& name, std::uint64_t done, std::uint64_t all) {
                         if (name == "one") of_one = {done, all};
                         return go_on;
                       }});
  }
  std::string held(const std::string& name) const { return read_file(folder + "/" + name); }
};

/// Requires libcurl's message, in the older or the newer wording, that it may not use `protocol`.
bool is_refusal(const std::string& message, const std::string& protocol) {
  const auto has = [&](const std::string& words) { return message.find(words) != std::string::npos; };
  return has(protocol) && (has("not supported") || has("disabled"));
}

}  // namespace

TEST_CASE("data: a listener that watches nothing stops nothing") {
  CHECK(DataListener().on_progress("file", 1, 2));
}

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

TEST_CASE("data: a file of which only the MD5 digest is known is checked by that") {
  Mirror m;
  m.set.files.resize(1);
  m.set.files[0] = {"one", md5("the text of file one")};
  CHECK(m.fetch());
  CHECK(m.held("one") == "the text of file one");
  m.place.write("data/one", "the text of file two");
  CHECK(m.fetch());
  CHECK(m.said == std::vector<std::string>{"one is fetched"});
  m.place.write("one", "the text of file two"), m.place.write("data/one", "");
  CHECK_THAT(error_of([&] { m.fetch(); }), contains("one does not have the checksum"));
  std::string long_text;
  long_text.resize(10'000'001, ' ');
  m.place.write("one", long_text);
  CHECK_THAT(error_of([&] { m.fetch(); }), contains("longer than the 10000000 bytes"));
}

TEST_CASE("data: Multi30k has six files in each of its languages, and torchtext's digests are of the same files") {
  CHECK(multi30k_languages() == std::vector<std::string>{"de", "fr", "cs"});
  CHECK_THAT(error_of([] { gradus::multi30k("en"); }), contains("no translations into \"en\""));
  std::set<std::string> digests;
  for (const std::string& language : multi30k_languages()) {
    const DataSet set = gradus::multi30k(language);
    std::vector<std::string> names;
    for (const DataFile& file : set.files) names.push_back(file.name), digests.insert(file.digest);
    const std::string other = "." + language + ".gz", test = "test_2016_flickr";
    CHECK(names == std::vector<std::string>{"train.en.gz", "train" + other, "val.en.gz", "val" + other,
                                            test + ".en.gz", test + other});
    CHECK_FALSE(set.citation.empty());
  }
  CHECK(digests.size() == 3 + 3 * 3);
  if (!multi30k_is_here()) return;
  const std::string folder = std::getenv("GRADUS_DATA");
  const std::pair<const char*, const char*> published[] = {{"train.en.gz", "0065d13af80720a55ca8153d126e6627"},
                                                           {"train.de.gz", "81ff90b99829c0cd4b1b587d394afd39"},
                                                           {"val.en.gz", "2b69aa9253948ac9f67e94917272dd40"},
                                                           {"val.de.gz", "6e0e229eb049e3fc99a1ef02fb2d5f91"}};
  for (const auto& [name, digest] : published) CHECK(md5(read_file(folder + "/" + name)) == digest);
}

TEST_CASE("data: a partial file is continued, and a wrong one is removed") {
  Mirror m;
  std::filesystem::create_directories(m.folder);
  m.place.write("data/one.part", "THE text");  // were the whole fetched, this beginning would be mended
  CHECK(error_of([&] { m.fetch(); }).find("checksum") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(m.folder + "/one"));
  CHECK_FALSE(std::filesystem::exists(m.folder + "/one.part"));

  m.place.write("data/one.part", "the text");
  CHECK(m.fetch());
  CHECK(m.held("one") == "the text of file one");
  CHECK(m.of_one == std::pair<std::uint64_t, std::uint64_t>{20, 20});  // of the whole file
}

TEST_CASE("data: a stopped download is reported as stopped, and the next one continues it") {
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

TEST_CASE("data: a failed download leaves no new file or folder, and keeps a partial file") {
  Mirror m;
  m.set.mirror = "http://127.0.0.1:9";
  m.folder = m.place.file("new/data");
  CHECK(error_of([&] { m.fetch(); }) != "no error");
  CHECK_FALSE(std::filesystem::exists(m.place.file("new")));

  m.folder += "/";
  std::filesystem::create_directories(m.place.file("new"));
  CHECK(error_of([&] { m.fetch(); }) != "no error");
  CHECK(std::filesystem::exists(m.place.file("new")));  // this one is not ours
  CHECK(std::filesystem::is_empty(m.place.file("new")));

  std::filesystem::create_directories(m.folder);
  CHECK(error_of([&] { m.fetch(); }) != "no error");
  CHECK(std::filesystem::is_empty(m.folder));
  m.place.write("new/data/one.part", "the text");
  CHECK(error_of([&] { m.fetch(); }) != "no error");
  CHECK(m.held("one.part") == "the text");
}

TEST_CASE("data: the files can come from a folder of this machine, if they are the right ones") {
  Mirror m;
  copy_data(m.set, m.place.path, m.folder, {});
  CHECK(m.held("two") == "the text of file two");
  std::filesystem::remove_all(m.folder);
  m.place.write("two", "another text");
  CHECK(error_of([&] { copy_data(m.set, m.place.path, m.folder, {}); }).find("two does not have the checksum") !=
        std::string::npos);
  std::filesystem::remove(m.place.file("two"));
  CHECK(error_of([&] { copy_data(m.set, m.place.path, m.folder, {}); }).find("is missing") != std::string::npos);
}

TEST_CASE("data: a server that sends more bytes than the file has is an error, and nothing is kept") {
  Mirror m;
  const std::string ok = "HTTP/1.1 200 OK\r\n", text = "the text of file one";
  const auto refused = [&](const std::string& mirror) {
    m.set.mirror = mirror;
    const std::string message = error_of([&] { m.fetch(); });
    INFO(message);
    CHECK(message.find(mirror + "/one: longer than the 20 bytes") == 0);
    CHECK(message.find("--mirror") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(m.folder));
  };
  const OneAnswerServer honest(ok + "Content-Length: 1000000000000\r\n\r\n" + text);
  refused(honest.address());
  const OneAnswerServer endless(ok + "\r\n" + std::string(1000000, 'x'));
  refused(endless.address());
  m.place.write("one", text + ".");
  refused("file://" + m.place.path);
  const OneAnswerServer right(ok + "\r\n" + text);
  m.set.mirror = right.address();
  m.set.files.resize(1);
  CHECK(m.fetch());
}

TEST_CASE("data: a server without ranges sends the whole file again") {
  Mirror m;
  m.set.files.resize(1);
  const OneAnswerServer whole("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nthe text of file one");
  m.set.mirror = whole.address();
  std::filesystem::create_directories(m.folder);
  m.place.write("data/one.part", "the text");
  CHECK(m.fetch());
  CHECK(m.held("one") == "the text of file one");
}

/// What `action` throws while no file may have more than `most` bytes.
template <class Action>
std::string error_with_small_files(rlim_t most, const Action& action) {
  rlimit old_limit{};
  ::getrlimit(RLIMIT_FSIZE, &old_limit);
  const rlimit narrow{most, old_limit.rlim_max};
  const auto old_answer = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &narrow);
  std::string error = error_of(action);
  ::setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_answer);
  return error;
}

TEST_CASE("data: a file that cannot grow is reported as such, not as an error of the mirror") {
  Mirror m;
  std::filesystem::create_directories(m.folder);
  const auto fetch = [&] { m.fetch(); };
  CHECK(error_with_small_files(2, fetch) == "cannot write " + m.folder + "/one.part: File too large");
  std::filesystem::remove(m.folder + "/one.part");
  const std::string advice = ", and the program writes its own files only; remove it, or give another folder";
  std::filesystem::create_symlink("/dev/full", m.folder + "/one.part");
  CHECK(error_of(fetch) == "cannot write " + m.folder + "/one.part: it is a symbolic link" + advice);
  std::filesystem::remove(m.folder + "/one.part");
  std::filesystem::create_directories(m.folder + "/one.part");
  CHECK(error_of(fetch) == "cannot write " + m.folder + "/one.part: it is a folder" + advice);
}

TEST_CASE("data: only http, https and file addresses are used, and a server cannot redirect to others") {
  Mirror m;
  const auto message_of = [&](const std::string& mirror) {
    m.set.mirror = mirror;
    return error_of([&] { m.fetch(); });
  };
  const auto elsewhere = [](const std::string& address) {
    return "HTTP/1.1 302 Found\r\nLocation: " + address + "/one\r\nContent-Length: 0\r\n\r\n";
  };
  CHECK(is_refusal(message_of("ftp://127.0.0.1:9"), "ftp"));
  const OneAnswerServer to_ftp(elsewhere("ftp://127.0.0.1:9")), to_file(elsewhere("file://" + m.place.path));
  CHECK(is_refusal(message_of(to_ftp.address()), "ftp"));
  CHECK(is_refusal(message_of(to_file.address()), "file"));
  const OneAnswerServer right("HTTP/1.1 200 OK\r\n\r\nthe text of file one"), to_right(elsewhere(right.address()));
  m.set.files.resize(1);
  CHECK(message_of(to_right.address()) == "no error");
}

TEST_CASE("data: a second download in one folder is refused, because both would write the same partial files") {
  Mirror m;
  const FolderLock first(m.folder);
  CHECK_THAT(error_of([&] { m.fetch(); }), contains(m.folder + ": another process"));
  CHECK_THAT(error_of([&] { copy_data(m.set, m.place.path, m.folder, {}); }), contains("another process"));
  CHECK(std::filesystem::is_empty(m.folder));
}

TEST_CASE("data: after Ctrl-C a message says what is kept, and the next download continues it") {
  const Playground place("data-interrupt");
  const OneAnswerServer slow("HTTP/1.1 200 OK\r\nContent-Length: 568929\r\n\r\nbeginning", true);
  const std::string output = place.file("data"), errors = place.file("errors");
  const std::string command = "timeout --foreground --preserve-status --signal=INT 1 " + program_file() +
                              " data --mirror " + slow.address() + " --output " + output + " 2> " + errors;
  const int status = std::system(command.c_str());
  CHECK(WEXITSTATUS(status) == 130);
  const std::string said = read_file(errors);
  CHECK_THAT(said, contains("stopping; the part that has arrived is kept") && contains("continues from here"));
  CHECK(said.find("step") == std::string::npos);
  CHECK(read_file(output + "/train.en.gz.part") == "beginning");
}

TEST_CASE("data: the first Ctrl-C stops the writing of ids, and no file is left") {
  if (!multi30k_is_here()) return;
  const Playground place("ids-interrupt");
  const std::string data = std::getenv("GRADUS_DATA");
  const Running copying(place,
                        "data --from " + data + " --output " + place.file("data") + " --ids " + place.file("ids"));
  copying.wait_until([&] { return copying.has_output("Next:"); });
  copying.signal(SIGINT);
  const int status = copying.end();
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 130);
  CHECK(copying.has_output("continues from here"));
  CHECK_FALSE(copying.has_output("the ids are in"));
  CHECK_FALSE(std::filesystem::exists(place.file("ids")));
  CHECK(read_file(place.file("data/val.en.gz")) == read_file(data + "/val.en.gz"));
}
