/// \file
/// The kernels before the numbers of a case file, on whatever they were built for: a GPU, or the host layer. It links
/// nothing but the kernels and CUDA, so it can be built on a machine that has only that (see build, beside this file).
///
///     gpu_check CASES [RESULT.json]                       every case in double and in float; exit 1 if one is off
///     gpu_check train IDS OUTPUT [EPOCHS [BATCH_TOKENS]]  the base model on a file of ids; translations go to OUTPUT

#include <cmath>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>

#include "gpu_check/all_kernels.hpp"
#include "gpu_check/case_file.hpp"
#include "gpu_check/train.hpp"
#include "gradus/gpu/about.hpp"
#include "gradus/util/error.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

struct Worst {
  double in_double = 0, in_float = 0;
  bool passed = true;
};
using Table = std::map<std::string, Worst>;  // by component

struct Check {
  const CaseFile& lists;
  Table& table;
  int cases = 0, wrong = 0;

  const std::vector<double>& list(const std::string& name) const {
    const auto at = lists.find(name);
    if (at == lists.end()) fail("the case file has no " + name + ": it was written by other sources");
    return at->second;
  }

  template <class Dev, class Case>
  double error_of(const std::string& name, const Case& c, const Values& values) const {
    const Run run = run_case<Dev>(c, values, {});
    const Description description = describe(c);
    double scale = 0, worst = 0;
    const auto note = [&](double error) { worst = std::isnan(error) || error > worst ? error : worst; };
    for (const auto& [tensor, y] : run.output) note(relative_error(y, list(output_name(name, tensor))));
    for (const TensorSpec& t : description.tensors()) {
      if (run.gradient.count(t.name) == 0) continue;
      for (const double g : list(gradient_name(name, t.name))) scale = std::max(scale, std::abs(g));
    }
    for (const TensorSpec& t : description.tensors()) {
      if (run.gradient.count(t.name) == 0 || t.zero_by_theorem) continue;
      note(relative_error(run.gradient.at(t.name), list(gradient_name(name, t.name)), scale));
    }
    return worst;
  }

  template <class Case>
  void operator()(const std::string& name, const Case& c, const KernelOptions& options) {
    Values values;
    const Description description = describe(c);
    for (const TensorSpec& t : description.tensors()) {
      const std::string given = t.role == Role::output ? "d" + t.name : t.name;
      values.value[given] = list(value_name(name, given));
    }
    Worst& row = table[description.component];
    const double in_double = error_of<Cuda<double>>(name, c, values);
    const double in_float = options.judges_float ? error_of<Cuda<float>>(name, c, values) : 0;
    const bool passed = in_double <= options.bounds.parity_double && in_float <= options.bounds.parity_float;
    ++cases;
    wrong += passed ? 0 : 1;
    if (!passed) std::cerr << name << ": " << in_double << " in double, " << in_float << " in float\n";
    row.in_double = std::fmax(row.in_double, in_double);
    row.in_float = std::fmax(row.in_float, in_float);
    row.passed = row.passed && passed;
  }
};

void write_result(const std::string& path, const Table& table) {
  std::ofstream file(path);
  char date[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%F", std::gmtime(&now));
  file << "{\n \"device\": \"" << gpu::device_text() << "\",\n \"date\": \"" << date << "\",\n \"kernels\": {";
  const char* comma = "\n";
  for (const auto& [name, row] : table) {
    file << comma << "  \"" << name << "\": {\"double\": " << row.in_double << ", \"float\": " << row.in_float
         << ", \"passed\": " << (row.passed ? "true" : "false") << "}";
    comma = ",\n";
  }
  file << "\n },\n \"sources\": {";
  comma = "\n";
  for (const auto& [name, hash] : kernel_sources(GRADUS_SOURCES)) {
    file << comma << "  \"" << name << "\": \"" << hash << "\"";
    comma = ",\n";
  }
  file << "\n }\n}\n";
}

int run_train(const std::vector<std::string>& words) {
  std::ifstream file(words.at(1));
  if (!file) fail(words.at(1) + " cannot be read");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  TrainOptions options;
  if (words.size() > 3) options.epochs = static_cast<std::uint32_t>(std::stoul(words[3]));
  if (words.size() > 4) options.batch_tokens = std::stoul(words[4]);
  std::ofstream translations(words.at(2));
  if (!translations) fail("cannot write " + words[2]);
  train_and_translate(id_corpus(text, words[1]), options, std::cout, translations);
  translations.close();
  if (!translations) fail("cannot write " + words[2]);
  return 0;
}

int run_cases(const std::vector<std::string>& words) {
  const CaseFile lists = read_cases(words.at(0));
  Table table;
  Check check{lists, table};
  each_kernel([&](const std::string& name, const auto& c, const KernelOptions& o) { check(name, c, o); });
  for (const auto& [name, row] : table) {
    std::cout << name << "  " << row.in_double << "  " << row.in_float << (row.passed ? "\n" : "  WRONG\n");
  }
  std::cout << check.cases << " cases, " << check.wrong << " of them wrong\n";
  if (words.size() > 1) write_result(words[1], table);
  return check.wrong == 0 && check.cases > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const bool is_training = !words.empty() && words[0] == "train";
  if (words.empty() || (is_training && words.size() < 3)) {
    throw UsageError("gpu_check CASES [RESULT.json], or gpu_check train IDS OUTPUT [EPOCHS [BATCH_TOKENS]]");
  }
  const std::string missing = gpu::what_is_missing();
  if (!missing.empty()) fail(missing);
  return is_training ? run_train(words) : run_cases(words);
} catch (const Error& error) {
  std::cerr << "gpu_check: " << error.what() << "\n";
  return 2;
}
