/// \file
/// gradus serve: the translator as a page in a browser, and as JSON for other programs.

#include <poll.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "app/commands/commands.hpp"
#include "app/options/shared_options.hpp"
#include "app/serve/http_server.hpp"
#include "app/serve/request_guard.hpp"
#include "app/serve/translate_service.hpp"
#include "app/terminal/console.hpp"
#include "app/terminal/interrupt.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

struct ServeRequest {
  std::string host = "127.0.0.1";
  int port = 8080;
  std::vector<std::string> models = bundled_models();
  DeviceChoice device = DeviceChoice::automatic;
  SearchWeights weights = SearchWeights::exact;
  ServiceLimits service;
  HttpLimits http;
};

std::vector<ServedModel> load_models(const ServeRequest& r) {
  std::vector<ServedModel> models;
  for (const std::string& folder : r.models) {
    const KnownModel known = known_model(folder);
    for (const ServedModel& other : models) {
      if (other.known.name == known.name)
        throw UsageError("two models are called " + known.name + "; rename the folder of one, or leave it out");
    }
    models.push_back({known, Translator::load(folder, r.device, r.weights)});
  }
  return models;
}

std::string address_of(const std::string& host, int port) {
  const bool six = host.find(':') != std::string::npos;
  return "http://" + (six ? "[" + host + "]" : host) + ":" + std::to_string(port) + "/";
}

int run_serve(const ServeRequest& r) {
  TranslateService service(load_models(r), r.service, r.host);
  HttpServer server(service, r.http);
  catch_interrupts("\nclosing; Ctrl-C again stops at once\n");
  const int port = server.start(r.host, r.port);
  if (!is_loopback(r.host))
    console().warn("other machines can reach " + r.host + ", and there is neither encryption nor a password");
  std::printf("%s\n", address_of(r.host, port).c_str());
  flush_results();
  console().say("open this address in a browser; Ctrl-C ends");
  while (!was_interrupted()) poll(nullptr, 0, 100);
  const int status = was_ended_by_control_c() ? 130 : 0;  // SIGTERM is how services are ended
  if (server.stop(std::chrono::seconds(8))) return status;
  std::_Exit(status);  // does not wait for a very long translation; services are killed after ten seconds
}

void add_limits(CLI::App& c, ServeRequest& r) {
  const auto add = [&c](const char* name, std::size_t& value, double least, double most, const char* text) {
    c.add_option(name, value, text)->check(between(least, most))->capture_default_str();
  };
  add("--most-characters", r.service.query.characters, 1, 1e6, "most characters of a text");
  add("--most-lines", r.service.query.lines, 1, 1e4, "most lines of a text; each is a sentence");
  add("--most-bytes", r.http.bytes, 1, 1e8, "most bytes of a request's body");
  add("--most-answer-bytes", r.service.answer_bytes, 1000, 1e9, "most bytes of an answer");
  add("--most-beams", r.service.query.beam, 1, 100, "widest search that a request may ask for");
  add("--requests-per-minute", r.service.requests_per_minute, 1, 1e6, "translations that a client may ask for");
  add("--queue", r.service.waiting, 0, 1e4, "requests that may wait while all threads compute");
  add("--connections", r.http.connections, 1, 1000, "connections at a time");
  const auto set_patience = [&r](double seconds) {
    using std::chrono::duration, std::chrono::milliseconds;
    r.http.patience = std::chrono::duration_cast<milliseconds>(duration<double>(seconds));
  };
  c.add_option_function<double>("--patience", set_patience, "seconds in which a client has to send its request")
      ->check(between(0.1, 3600))
      ->default_str("10");
}

}  // namespace

Command add_serve(CLI::App& app) {
  const auto r = std::make_shared<ServeRequest>();
  CLI::App* const c = app.add_subcommand("serve", "a page to translate on in a browser, and JSON for programs");
  c->footer(
      "Only this machine can reach the page. Programs ask /translate, with GET or with POST and JSON:\n"
      "  curl 'http://127.0.0.1:8080/translate?text=A+dog+runs.&n_best=3'\n"
      "  curl --json '{\"text\": \"Ein Hund rennt.\", \"direction\": \"de-en\"}' http://127.0.0.1:8080/translate\n"
      "Each line of a text is a sentence, and a text may be a list of texts. What comes back, and all limits: "
      "app/serve");
  c->add_option("--port", r->port, "where to listen; 0 takes a free one and prints it")
      ->check(between(0, 65535))
      ->capture_default_str();
  const auto without_brackets = [](const std::string& given) {  // an address of IPv6 stands in them in a browser
    const bool has_them = given.size() > 2 && given.front() == '[' && given.back() == ']';
    return has_them ? given.substr(1, given.size() - 2) : given;
  };
  c->add_option("--host", r->host, "address of this machine; 0.0.0.0 lets other machines in")
      ->transform(without_brackets, "", "")
      ->capture_default_str();
  add_models_option(*c, r->models);
  add_threads_option(*c, r->service.threads)->description("requests that are computed at a time");
  add_device_option(*c, r->device);
  add_int8_option(*c, r->weights);
  add_options_of(*c, r->service.query.standard, {Commands::searches_and_serve});
  add_limits(*c, *r);
  return {c, [r] { return run_serve(*r); }};
}

}  // namespace gradus
