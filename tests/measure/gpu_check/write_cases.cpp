/// \file
/// Writes the case file: for every case of every kernel random inputs and the formula's results; also the losses of
/// a small training on the processor.
///
///     write_cases FILE

#include <iostream>

#include "gradus/util/error.hpp"
#include "measure/gpu_check/all_kernels.hpp"
#include "measure/gpu_check/case_file.hpp"
#include "measure/gpu_check/steps.hpp"

using namespace gradus;
using namespace gradus::test;

int main(int argc, char** argv) try {
  if (argc != 2) throw UsageError("write_cases FILE");
  CaseFile lists;
  int cases = 0;
  const auto add = [&](const std::string& name, const auto& c, const KernelOptions&) {
    ++cases;
    const Values values = random_values(describe(c), 2);
    const Run run = run_case<Reference<double>>(c, values, {});
    for (const auto& [tensor, x] : values.value) lists[value_name(name, tensor)] = x;
    for (const auto& [tensor, y] : run.output) lists[output_name(name, tensor)] = y;
    for (const auto& [tensor, g] : run.gradient) lists[gradient_name(name, tensor)] = g;
  };
  each_kernel(add);
  each_large_kernel(add);
  for (const std::size_t M : {1, 2}) lists[losses_name(M)] = trained<Cpu<double>>(M).losses;
  write_cases(argv[1], lists);
  std::cout << cases << " cases in " << argv[1] << "\n";
  return 0;
} catch (const Error& error) {
  std::cerr << "write_cases: " << error.what() << "\n";
  return 1;
}
