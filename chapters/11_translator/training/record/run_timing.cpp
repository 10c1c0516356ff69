#include "11_translator/training/record/run_timing.hpp"

#include <nlohmann/json.hpp>

#include "gradus/io/own_file.hpp"
#include "gradus/ops/blas/blas_core.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/process.hpp"

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format = "gradus timing 1";

Json object(const TimedSession& s) {
  return {{"seconds", s.seconds},
          {"validation_seconds", s.validation_seconds},
          {"steps", s.steps},
          {"source_tokens", s.source_tokens},
          {"target_tokens", s.target_tokens},
          {"processor", s.processor},
          {"blas", s.blas},
          {"device", s.device},
          {"threads", s.threads},
          {"peak_memory", s.peak_memory}};
}

TimedSession session(const Json& json) {
  TimedSession s;
  s.seconds = json.at("seconds"), s.validation_seconds = json.at("validation_seconds");
  s.steps = json.at("steps");
  s.source_tokens = json.at("source_tokens"), s.target_tokens = json.at("target_tokens");
  s.processor = json.at("processor"), s.blas = json.at("blas"), s.device = json.at("device");
  s.threads = json.at("threads"), s.peak_memory = json.at("peak_memory");
  if (!(s.seconds >= 0 && s.validation_seconds >= 0)) fail("a negative time");
  return s;
}

}  // namespace

std::string to_json(const RunTiming& timing) {
  Json json{{"format", format}, {"sessions", Json::array()}};
  for (const TimedSession& s : timing) json["sessions"].push_back(object(s));
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

RunTiming run_timing(const std::string& json, const std::string& origin) {
  try {
    const Json all = Json::parse(json);
    if (all.at("format") != format || !all.at("sessions").is_array()) fail("an unknown format");
    RunTiming timing;
    for (const Json& one : all.at("sessions")) timing.push_back(session(one));
    return timing;
  } catch (const std::exception&) {
    fail(origin + ": these are not the times of a training");
  }
}

RunTiming stored_timing(const std::string& path) {
  try {
    constexpr std::uint64_t longest = 16'000'000;  // bytes
    return run_timing(read_regular_file(path, longest), path);
  } catch (const Error&) {
    return {};
  }
}

double tokens_per_second(const RunTiming& timing) {
  double seconds = 0, tokens = 0;
  for (const TimedSession& s : timing) {
    seconds += s.seconds - s.validation_seconds;
    tokens += static_cast<double>(s.source_tokens + s.target_tokens);
  }
  return seconds > 0 ? tokens / seconds : 0;
}

RunClock::RunClock(const std::string& path, std::size_t threads, const std::string& device, bool anew)
    : path_(path), before_(anew ? RunTiming() : stored_timing(path)) {
  session_.processor = processor_name(), session_.blas = blas_core(), session_.device = device;
  session_.threads = static_cast<std::uint32_t>(threads);
}

void RunClock::step(std::size_t source_tokens, std::size_t target_tokens) {
  ++session_.steps;
  session_.source_tokens += source_tokens;
  session_.target_tokens += target_tokens;
}

void RunClock::write() {
  if (session_.steps == 0) return;
  session_.seconds = seconds_since(began_);
  session_.peak_memory = peak_memory();
  RunTiming all = before_;
  all.push_back(session_);
  write_own_file(path_, to_json(all));
}

}  // namespace gradus
