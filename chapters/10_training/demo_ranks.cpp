#include <cstdio>
#include <string>
#include <vector>

#include "00_foundations/tiny.hpp"
#include "09_transformer/config.hpp"
#include "10_training/demo_parts.hpp"
#include "10_training/step/shares.hpp"

namespace gradus::demo {
namespace {

constexpr std::size_t slots = 8;

/// A model whose size people know, and its parameters.
struct Size {
  const char* name;
  std::size_t parameters;
};

std::vector<Size> sizes() {
  ModelConfig bundled, base, big;
  bundled.source_vocab = bundled.target_vocab = 9712;
  base.source_vocab = base.target_vocab = big.source_vocab = big.target_vocab = 37000;  // the paper's, section 5.1
  base.d_model = 512, base.ffn = 2048, base.heads = 8;
  big.d_model = 1024, big.ffn = 4096, big.heads = 16;
  base.encoder_layers = base.decoder_layers = big.encoder_layers = big.decoder_layers = 6;
  for (ModelConfig* c : {&bundled, &base, &big}) c->tying = Tying::all;
  return {{"default", parameter_count(bundled)}, {"base", parameter_count(base)}, {"big", parameter_count(big)}};
}

/// What a rank sends in a step, in bytes: its sums for the others' ranges, then its range of the weights for the others.
double bytes_sent(std::size_t parameters, std::size_t ranks) {
  const double share = static_cast<double>(ranks - 1) / static_cast<double>(ranks);
  return 2 * share * static_cast<double>(parameters * sizeof(float));
}

std::string text_of(const std::vector<Addition>& additions) {
  std::string text;
  for (const Addition& a : additions)
    text += (text.empty() ? "" : ", ") + std::to_string(a.to) + "+" + std::to_string(a.from);
  return text;
}

std::string text_of(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (const std::size_t number : numbers) text += (text.empty() ? "" : " ") + std::to_string(number);
  return text;
}

}  // namespace

void three_ranks() {
  tiny::section("eight slots on three ranks");
  for (std::size_t r = 0; r < 3; ++r) {
    const Interval own = slots_of(r, 3, slots);
    std::printf("  rank %zu has slots %zu to %zu, adds %-8s and has sums in %s\n", r, own.begin, own.end - 1,
                text_of(own_additions(own, slots)).c_str(), text_of(open_nodes(own, slots)).c_str());
  }
  std::printf("  then    %s\n", text_of(joining_additions(3, slots)).c_str());
  std::printf("  1 rank: %s\n", text_of(own_additions({0, slots}, slots)).c_str());
}

void what_travels() {
  tiny::section("what each rank sends in a step");
  std::printf("  %-8s  %11s  %10s  %7s  %7s  %7s\n", "model", "parameters", "weights", "R = 2", "R = 4", "R = 8");
  for (const Size& size : sizes()) {
    std::printf("  %-8s  %11zu  %7.1f MB", size.name, size.parameters,
                static_cast<double>(size.parameters * sizeof(float)) / 1e6);
    for (const std::size_t ranks : {2, 4, 8})
      std::printf("  %4.*f MB", size.parameters > 10'000'000 ? 0 : 1, bytes_sent(size.parameters, ranks) / 1e6);
    std::printf("\n");
  }
}

void when_ranks_pay() {
  tiny::section("how long a step of one rank must take, computed");
  std::printf("  %-8s  %24s  %24s  %24s\n", "", "1 Gbit/s", "10 Gbit/s", "100 Gbit/s");
  std::printf("  %-8s", "model");
  for (int i = 0; i < 3; ++i) std::printf("  %12s%12s", "to gain", "90 % of 8");
  std::printf("\n");
  for (const Size& size : sizes()) {
    std::printf("  %-8s", size.name);
    for (const double gigabits : {1.0, 10.0, 100.0}) {
      const double travel = bytes_sent(size.parameters, 8) / (gigabits * 1e9 / 8);  // seconds
      // 8 ranks take T / 8 + travel; they gain if that is less than T, and have 90 % if T / 8 is 90 % of it.
      std::printf("  %10.3f s%10.2f s", travel * 8 / 7, travel * 8 * 9);
    }
    std::printf("\n");
  }
}

}  // namespace gradus::demo
