#include "11_translator/data/stored_ids.hpp"
#include "fuzz/target.hpp"
#include "gradus/util/digest.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr std::size_t digest_at = 16, digest_size = 64, body_at = digest_at + digest_size;

/// Every sentence lies within the ids and has its words, and no id is beyond the vocabulary.
void check_side(const HostSentences& side, std::uint64_t pairs, std::uint64_t tokens, std::uint64_t most,
                std::uint64_t words) {
  demand(side.begin.extent[0] == pairs + 1 && side.ids.extent[0] == tokens);
  std::int64_t at = 0;
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::int64_t begin = side.begin[i], end = side.begin[i + 1];
    demand(begin == at && end - begin >= 2 && static_cast<std::uint64_t>(end - begin) <= most);
    for (; at < end; ++at) {
      const std::int32_t id = side.ids[static_cast<std::size_t>(at)];
      demand(id >= 0 && static_cast<std::uint64_t>(id) < words);
    }
  }
  demand(static_cast<std::uint64_t>(at) == tokens);
}

void check(const std::string& bytes) {
  const StoredIds ids = stored_ids(bytes);
  const IdCounts& n = ids.counts;
  demand(n.pairs > 0 && n.pairs <= n.lines && n.lines <= bytes.size());
  const auto* const marks = reinterpret_cast<const char*>(ids.line_marks);
  demand(marks > bytes.data() && marks + sizeof *ids.line_marks * n.lines < bytes.data() + bytes.size());
  const std::uint64_t longest = std::min<std::uint64_t>(n.longest, bytes.size());
  check_side(ids.source, n.pairs, n.source_tokens, longest, n.source_words);
  check_side(ids.target, n.pairs, n.target_tokens, longest + 1, n.target_words);
  std::string parts = ids.made_from + ids.text_checksum;  // reads every byte of them
  parts.append(ids.source_vocabulary).append(ids.target_vocabulary);
  demand(parts.size() < bytes.size());
}

}  // namespace

/// The bytes as they are, and then with the digest that belongs to them: no fuzzer finds one.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  survives(data, size, check);
  return survives(data, size, [](std::string bytes) {
    if (bytes.size() < body_at) return;
    bytes.replace(digest_at, digest_size, sha256(bytes.substr(body_at)));
    check(bytes);
  });
}
