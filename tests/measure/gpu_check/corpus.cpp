#include "measure/gpu_check/corpus.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "gradus/util/error.hpp"

namespace gradus::test {

IdPairs made_pairs(std::size_t count, std::size_t vocab) {
  constexpr std::uint32_t marks = 4;
  Draw draw;
  IdPairs pairs;
  const auto sentence = [&](std::uint32_t length) {
    std::vector<std::int32_t> s(length);
    for (auto& id : s)
      id = static_cast<std::int32_t>(marks + draw.below(static_cast<std::uint32_t>(vocab) - marks));
    return s;
  };
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t length = 7 + draw.below(6) + draw.below(6) + draw.below(6);
    if (draw.below(32) == 0) length += draw.below(26);
    const std::uint32_t of_target = length - 3 + draw.below(4) + draw.below(4);
    pairs.source.push_back(sentence(length));
    pairs.target.push_back(sentence(of_target));
  }
  return pairs;
}

IdCorpus read_ids(const std::string& path) {
  std::ifstream file(path);
  if (!file) fail(path + " cannot be read");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return id_corpus(text, path);
}

BatchList batches_in_order(const IdPairs& pairs, std::size_t tokens, std::size_t most) {
  BatchList batches;
  std::size_t source = tokens, target = tokens;  // full, so that the first pair begins a batch
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    source += pairs.source[i].size() + 1, target += pairs.target[i].size() + 1;
    if (std::max(source, target) > tokens) {
      if (batches.size() == most) break;
      batches.emplace_back();
      source = pairs.source[i].size() + 1, target = pairs.target[i].size() + 1;
    }
    batches.back().push_back(i);
  }
  return batches;
}

}  // namespace gradus::test
