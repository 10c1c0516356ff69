// The file of ids: what is written is read, and nothing else is read.

#include "11_translator/data/stored_ids.hpp"

#include <cstring>

#include "gradus/io/atomic_file.hpp"
#include "gradus/util/digest.hpp"
#include "lib/io/files.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;
using Numbers = std::vector<std::int32_t>;

namespace {

const std::string made_from = sha256("made from"), checksum = sha256("text");
constexpr std::size_t digest_at = 16, body_at = 80, counts_at = 208, marks_at = 272;

IdsToStore example() {
  IdsToStore ids{made_from, checksum, {7, 8, 1ULL << 63}, {}, {}, 5, 9, 12, "source words", "and target words"};
  ids.source = concatenate({{5, 4}, {8}}, {}, 3);
  ids.target = concatenate({{11}, {4, 4, 6}}, {2}, 3);
  return ids;
}

/// The bytes of a file, at an address that is a multiple of 8.
struct Bytes {
  explicit Bytes(const IdsToStore& ids) {
    const TemporaryFolder folder;
    store_ids(folder.path("ids"), ids);
    text = read_file(folder.path("ids"));
  }
  StoredIds read() const { return stored_ids(text); }
  std::string refusal() const {
    return error_of([&] { read(); });
  }
  template <class Number>
  void set(std::size_t at, Number value) {
    std::memcpy(&text[at], &value, sizeof value);
  }
  /// Afterwards the digest agrees with the bytes, as in a file that was made to mislead.
  void sign() { text.replace(digest_at, 64, sha256(text.substr(body_at))); }

  std::string text;
};

Numbers numbers(const View<const std::int32_t, 1, Host>& v) { return {v.data, v.data + v.extent[0]}; }

}  // namespace

TEST_CASE("stored ids: a file gives back what was written") {
  const Bytes bytes(example());
  const StoredIds ids = bytes.read();
  CHECK(ids.made_from == made_from);
  CHECK(ids.text_checksum == checksum);
  const IdCounts& n = ids.counts;
  CHECK((n.lines == 3 && n.pairs == 2 && n.longest == 5));
  CHECK((n.source_words == 9 && n.target_words == 12));
  CHECK(std::vector<std::uint64_t>(ids.line_marks, ids.line_marks + 3) ==
        std::vector<std::uint64_t>{7, 8, 1ULL << 63});
  CHECK(numbers(ids.source.ids) == Numbers{5, 4, 3, 8, 3});
  CHECK(numbers(ids.source.begin) == Numbers{0, 3, 5});
  CHECK(numbers(ids.target.ids) == Numbers{2, 11, 3, 2, 4, 4, 6, 3});
  CHECK(numbers(ids.target.begin) == Numbers{0, 3, 8});
  CHECK(ids.source_vocabulary == "source words");
  CHECK(ids.target_vocabulary == "and target words");
}

TEST_CASE("stored ids: a file that is cut short anywhere, or has one changed byte, is refused") {
  const Bytes good(example());
  for (std::size_t size = 0; size < good.text.size(); ++size) {
    Bytes cut = good;
    cut.text.resize(size);
    INFO(size);
    CHECK(cut.refusal() == (size < 8 ? "no file of ids" : size < body_at ? "cut short" : "damaged or cut short"));
  }
  for (std::size_t at = 0; at < good.text.size(); ++at) {
    Bytes changed = good;
    changed.text[at] = static_cast<char>(changed.text[at] ^ 1);
    INFO(at);
    CHECK(changed.refusal() == (at < 8    ? "no file of ids"
                                : at < 12 ? "of another version"
                                : at < 16 ? "from a machine with another order of bytes"
                                          : "damaged or cut short"));
  }
  Bytes longer = good;
  longer.text += "x";
  CHECK(longer.refusal() == "damaged or cut short");
}

TEST_CASE("stored ids: a file that was made to mislead is refused, whatever its digest says") {
  const Bytes good(example());
  const std::size_t source_begin = marks_at + 3 * 8, target_begin = source_begin + 3 * 4,
                    source_ids = target_begin + 3 * 4, target_ids = source_ids + 5 * 4;
  const auto refused = [&](std::size_t at, auto value) {
    Bytes b = good;
    b.set(at, value);
    b.sign();
    INFO(at << ": " << value);
    const std::string why = b.refusal();
    CHECK((why == "damaged" || why == "cut short"));
  };
  for (std::size_t i = 0; i < 8; ++i) {
    if (i == 7) continue;  // where one vocabulary ends and the other begins: their readers check that
    for (const std::uint64_t value : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1} << 62}) {
      if (i == 2 && value != 0) continue;  // a larger limit allows these sentences; the caller compares it
      if ((i == 5 || i == 6) && value != 0) continue;  // more words: the vocabulary's reader checks that
      refused(counts_at + 8 * i, value);
    }
  }
  refused(counts_at + 8 * 7, ~std::uint64_t{0});
  refused(counts_at + 8 * 2, std::uint64_t{2});   // a sentence is longer than that
  refused(counts_at + 8 * 5, std::uint64_t{8});   // an id is 8
  refused(counts_at + 8 * 6, std::uint64_t{11});  // an id is 11
  for (const std::int32_t begin : {-1, 1, 4, 5, 6, 1 << 30}) refused(source_begin + 4, begin);
  for (const std::int32_t begin : {-1, 2, 6, 8, 9, 1 << 30}) refused(target_begin + 4, begin);
  for (const std::int32_t begin : {-1, 1}) refused(source_begin, begin), refused(target_begin, begin);
  for (const std::int32_t end : {4, 6, -1}) refused(source_begin + 8, end);
  for (const std::int32_t id : {-1, 9, 1 << 30}) refused(source_ids, id), refused(target_ids - 4, id);
  for (const std::int32_t id : {-1, 12}) refused(target_ids, id), refused(target_ids + 7 * 4, id);
}

TEST_CASE("stored ids: a pair of lines has its mark, and another pair another one") {
  // python3 -c 'import hashlib; print(hashlib.sha256(b"a\nb").hexdigest()[:16])'
  CHECK(mark_of("a", "b") == 0x7e18f737311b2dc3ULL);
  CHECK(mark_of("a", "b") != mark_of("b", "a"));
  CHECK(mark_of("ab", "") != mark_of("a", "b"));
}
