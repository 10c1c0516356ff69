// The options of serve: each option's effect, tested over this machine's network. A new option gets a row.

#include <httplib.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>

#include "chapters/11_translator/http_client.hpp"
#include "chapters/11_translator/option_names.hpp"
#include "chapters/11_translator/program.hpp"
#include "gradus/io/lines.hpp"

using namespace gradus;
using namespace gradus::test;
using Json = nlohmann::json;

namespace {

/// `gradus serve OPTIONS` while it runs; it ends with this object.
class Serving {
 public:
  explicit Serving(const std::string& options, const std::string& port = "--port 0")
      : place_("serve-options"),
        out_(place_.write("out", "")),
        program_(place_, "serve " + port + " " + options + " >" + out_) {
    program_.wait_until([&] { return read_file(out_).find('\n') != std::string::npos; });
    const std::string output = read_file(out_);
    REQUIRE(output.find("http://") == 0);
    address_ = output.substr(0, output.find('\n') - 1);
  }
  ~Serving() {
    if (!ended_) end(SIGKILL);
  }

  const std::string& address() const { return address_; }
  int port() const { return std::stoi(address_.substr(address_.rfind(':') + 1)); }
  bool has_output(const std::string& text) const { return program_.has_output(text); }

  int end(int number) {
    ended_ = true;
    program_.signal(number);
    const int status = program_.end();
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  httplib::Result got(const std::string& path) const { return client().Get(path); }
  Json json(const std::string& path) const { return Json::parse(got(path)->body); }
  int status(const Json& query) const {
    return client().Post("/translate", query.dump(), "application/json")->status;
  }
  std::string answer(const Json& query) const {
    return client().Post("/translate", query.dump(), "application/json")->body;
  }

 private:
  httplib::Client client() const {
    httplib::Client one(address_);
    one.set_read_timeout(60);
    return one;
  }

  Playground place_;
  std::string out_, address_;
  Running program_;
  bool ended_ = false;
};

/// The status of a request that the option still allows, and of one beyond.
void check_limit(const std::string& option, const Json& within, const Json& beyond, int refusal) {
  const Serving usual(""), limited(option);
  CHECK(limited.status(within) == 200);
  CHECK(limited.status(beyond) == refusal);
  CHECK(usual.status(beyond) == 200);
}

Json text(const std::string& words) { return {{"text", words}}; }

}  // namespace

TEST_CASE("options: serve") {
  const std::string beyond = "A dog runs through the snow.\nA cat.";
  judge_options(
      "serve",
      {{"port",
        [] {
          const Serving first("--model en-de");
          const Playground place("serve-port");
          const Result second = gradus_program(place, "serve --port " + std::to_string(first.port()));
          CHECK(second.status == 1);
          CHECK(lines_in(second.err) == 1);
          CHECK_THAT(second.err, contains("port " + std::to_string(first.port()) + " of 127.0.0.1 is taken"));
          CHECK(gradus_program(place, "serve --port 65536").status == 2);
        }},
       {"host",
        [] {
          const Serving other("--host 127.0.0.2");
          CHECK(other.address().find("http://127.0.0.2:") == 0);
          CHECK(other.got("/health")->status == 200);
          CHECK_FALSE(other.has_output("warning"));
          const Serving every("--host 0.0.0.0");
          every.got("/health");
          CHECK(every.has_output(
              "warning: other machines can reach 0.0.0.0, and there is neither encryption nor a password"));
          const Playground place("serve-host");
          CHECK_THAT(gradus_program(place, "serve --port 0 --host 192.0.2.1").err,
                     contains("address of this machine"));
          CHECK_THAT(gradus_program(place, "serve --port 0 --host '[2001:db8::1]'").err,
                     contains("port 0 of 2001:db8::1 cannot be opened"));
          const Result none = gradus_program(place, "serve --port 0 --host ''");
          CHECK(none.status == 2);
          CHECK(none.err == "gradus: --host is empty; give an address of this machine, such as 127.0.0.1\n");
        }},
       {"model",
        [] {
          const auto directions = [](const Serving& served) {
            std::string names;
            const Json all = served.json("/models");
            for (const Json& model : all.at("models"))
              names +=
                  model.at("direction").get<std::string>() + ", " + model.at("title").get<std::string>() + "; ";
            return names;
          };
          const Playground place("serve-model");
          std::filesystem::copy(std::string(GRADUS_CHAPTERS) + "/11_translator/models/en-de", place.file("own"));
          CHECK(directions(Serving("")) == "en-de, English → German; de-en, German → English; ");
          CHECK(directions(Serving("--model de-en")) == "de-en, German → English; ");
          CHECK(directions(Serving("--model " + place.file("own/") + " --model en-de")) ==
                "own, own; en-de, English → German; ");
          CHECK_THAT(gradus_program(place, "serve --model en-de en-de").err,
                     contains("two models are called en-de"));
        }},
       {"threads", [] { CHECK(Serving("--threads 3").json("/health").at("free_threads") == 3); }},
       {"queue", [] { CHECK(Serving("--queue 7").json("/health").at("free_places") == 7); }},
       {"device", [] { CHECK(Serving("--device cpu").status(text("A dog.")) == 200); }},
       {"int8",
        [] {
          const auto answer = [](const std::string& options) { return Serving(options).answer(text("A dog.")); };
          CHECK(answer("--int8") != answer(""));
          CHECK(answer("--int8") == answer("--int8"));
        }},
       {"short-source",
        [] {
          const auto said = [](const std::string& options) {
            const auto answer = Serving(options).answer(text("Two men."));
            return Json::parse(answer).at("sentences").at(0).at("text").template get<std::string>();
          };
          CHECK(said("--short-source 4") == "Zwei Männer.");
          CHECK(said("--short-source 3") != "Zwei Männer.");
        }},
       {"most-characters", [&] { check_limit("--most-characters 6", text("A dog."), text(beyond), 413); }},
       {"most-lines", [&] { check_limit("--most-lines 1", text("A dog."), text(beyond), 413); }},
       {"most-bytes", [&] { check_limit("--most-bytes 40", text("A dog."), text(beyond), 413); }},
       {"most-answer-bytes",
        [] {
          const Json beyond_it = {{"text", "A dog runs through the snow."}, {"attention", true}};
          check_limit("--most-answer-bytes 2000", text("A dog."), beyond_it, 413);
        }},
       {"most-beams",
        [] {
          check_limit("--most-beams 2", {{"text", "A dog."}, {"beam", 2}}, {{"text", "A dog."}, {"beam", 3}}, 400);
        }},
       {"requests-per-minute",
        [] {
          const Serving rare("--requests-per-minute 1");
          CHECK(rare.status(text("A dog.")) == 200);
          CHECK(rare.status(text("A dog.")) == 429);
        }},
       {"connections",
        [] {
          const Serving one("--connections 1 --patience 3600");
          const auto silent = std::make_unique<RawClient>(one.port());
          const RawClient other(one.port());
          other.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
          CHECK_FALSE(other.hears_within(300));
        }},
       {"patience",
        [] {
          const Serving hasty("--patience 0.2");
          const RawClient silent(hasty.port());
          CHECK(silent.hears_within(8000));  // that it is cut off; on its own this would take ten seconds
          CHECK(silent.rest().empty());
        }}},
      "tests/chapters/11_translator/serve_options_test.cpp");
}

TEST_CASE("serve: the limits that apply without options") {
  const Playground place("serve-defaults");
  const std::string help = gradus_program(place, "serve --help").out;
  for (const auto& [option, value] : std::map<std::string, std::string>{{"most-characters", "1000"},
                                                                        {"most-lines", "20"},
                                                                        {"most-bytes", "65536"},
                                                                        {"most-answer-bytes", "16000000"},
                                                                        {"most-beams", "10"},
                                                                        {"requests-per-minute", "120"},
                                                                        {"queue", "16"},
                                                                        {"connections", "32"},
                                                                        {"patience", "10"}}) {
    INFO(option);
    std::smatch found;
    REQUIRE(std::regex_search(help, found, std::regex("--" + option + " [NX] [^\\[]*\\[([^\\]]*)\\]")));
    CHECK(found[1] == value);
  }
}

TEST_CASE("serve: Ctrl-C and SIGTERM end it, and its address is all that it prints as a result") {
  for (const int number : {SIGINT, SIGTERM}) {
    Serving served("--model en-de");
    const RawClient silent(served.port());
    CHECK(served.got("/translate?text=A+dog.")->status == 200);
    CHECK(served.end(number) == (number == SIGINT ? 130 : 0));
    CHECK(
        served.has_output("open this address in a browser; Ctrl-C ends\n\nclosing; Ctrl-C again stops at once\n"));
  }
}

namespace {

constexpr const char* one_thread_for_long_texts =
    "--model en-de --threads 1 --most-characters 1000000 --most-lines 9999 --most-bytes 1000000 --most-beams 100";

/// A request for so many lines.
std::string request_of(int lines, int beam) {
  std::string words;
  for (int i = 0; i < lines; ++i) words += "Two men are playing guitar on a stage in front of a large crowd.\n";
  const std::string body = Json{{"text", words}, {"beam", beam}}.dump();
  return "POST /translate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

void wait_until_busy(const Serving& served) {
  while (served.json("/health").at("free_threads") != 0) std::this_thread::yield();
}

}  // namespace

TEST_CASE("serve: it ends although a translation would take minutes") {
  Serving served(one_thread_for_long_texts);
  const RawClient client(served.port());
  client.send(request_of(5000, 100));
  wait_until_busy(served);
  CHECK(served.end(SIGTERM) == 0);
}

TEST_CASE("serve: a request that is being answered at the end gets its answer") {
  Serving served(one_thread_for_long_texts);
  const auto start = std::chrono::steady_clock::now();
  const RawClient first(served.port());
  first.send(request_of(20, 5));
  CHECK_THAT(first.rest(), contains("HTTP/1.1 200 OK"));
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  const int lines = std::min(9000, static_cast<int>(20 * 2 / taken.count()));  // about two seconds
  const RawClient client(served.port());
  client.send(request_of(lines, 5));
  wait_until_busy(served);
  CHECK(served.end(SIGTERM) == 0);
  CHECK_THAT(client.rest(), contains("HTTP/1.1 200 OK"));
}

TEST_CASE("serve: translations whose clients are gone delay nobody") {
  const Serving served(one_thread_for_long_texts);
  for (int i = 0; i < 6; ++i) {
    const RawClient client(served.port());
    client.send(request_of(2000, 10));
    if (i == 0) wait_until_busy(served);
  }
  const auto start = std::chrono::steady_clock::now();
  CHECK(served.status(text("A dog.")) == 200);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(30));  // each takes minutes
}

TEST_CASE("serve: a damaged model is reported before the port is opened") {
  const Playground place("serve-damaged");
  const Result r = gradus_program(place, "serve --port 0 --model " + place.file("none"));
  CHECK(r.status == 1);
  CHECK(r.out.empty());
  CHECK(lines_in(r.err) == 1);
}
