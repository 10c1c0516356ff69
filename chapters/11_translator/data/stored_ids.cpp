#include "11_translator/data/stored_ids.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "gradus/io/atomic_file.hpp"
#include "gradus/util/digest.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

constexpr std::string_view magic = "gradusID";
// The version also changes when the same text and the same choices begin to give other ids.
constexpr std::uint32_t version = 1, order_of_bytes = 0x01020304;
constexpr std::size_t digest_size = 64, digest_at = 16, body_at = digest_at + digest_size;
constexpr std::size_t at_once = std::size_t{1} << 22;  // numbers or bytes read before read_on is called

constexpr std::uint64_t IdCounts::*counted[] = {
    &IdCounts::lines,         &IdCounts::pairs,        &IdCounts::longest,      &IdCounts::source_tokens,
    &IdCounts::target_tokens, &IdCounts::source_words, &IdCounts::target_words, &IdCounts::source_bytes};

template <class Number>
std::string_view raw_bytes(const Number* numbers, std::size_t count) {
  return {reinterpret_cast<const char*>(numbers), count * sizeof(Number)};
}

/// Takes the parts of a file, one behind the other.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) fail("cut short");
    const std::string_view part = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return part;
  }
  /// `count` numbers where they stand; their place is a multiple of their size.
  template <class Number>
  const Number* numbers(std::uint64_t count) {
    if (count > rest_.size() / sizeof(Number)) fail("cut short");
    return reinterpret_cast<const Number*>(take(count * sizeof(Number)).data());
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

HostSentences sentences(const std::int32_t* ids, std::size_t tokens, const std::int32_t* begin, std::size_t pairs) {
  return {{ids, {tokens}, tokens}, {begin, {pairs + 1}, pairs + 1}};
}

/// Calls work(first, last) for parts of 0 .. count, and `read_on` after each.
template <class Work>
void in_parts(std::size_t count, const std::function<void()>& read_on, const Work& work) {
  for (std::size_t first = 0; first < count; first += at_once) {
    work(first, std::min(count, first + at_once));
    read_on();
  }
}

/// The pieces lie one behind the other and fill the ids; each has `least` to `most` tokens.
void check_side(const HostSentences& side, std::size_t least, std::size_t most, std::size_t words,
                const std::function<void()>& read_on) {
  const std::size_t pairs = side.begin.extent[0] - 1, tokens = side.ids.extent[0];
  bool good = side.begin[0] == 0 && static_cast<std::size_t>(side.begin[pairs]) == tokens;
  in_parts(pairs, read_on, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const std::int64_t length = std::int64_t{side.begin[i + 1]} - side.begin[i];
      good = good && length >= static_cast<std::int64_t>(least) && length <= static_cast<std::int64_t>(most);
    }
  });
  in_parts(tokens, read_on, [&](std::size_t first, std::size_t last) {
    const auto fits = [&](std::int32_t id) { return id >= 0 && static_cast<std::size_t>(id) < words; };
    good = good && std::all_of(side.ids.data + first, side.ids.data + last, fits);
  });
  if (!good) fail("damaged");
}

/// The checks before the content: is it such a file, and are its bytes those that were written?
void check_frame(std::string_view bytes, const std::function<void()>& read_on) {
  if (!is_stored_ids(bytes)) fail("no file of ids");
  Reader head(bytes.substr(magic.size()));
  std::uint32_t numbers[2];
  std::memcpy(numbers, head.take(sizeof numbers).data(), sizeof numbers);
  if (numbers[1] != order_of_bytes) fail("from a machine with another order of bytes");
  if (numbers[0] != version) fail("of another version");
  const std::string_view digest = head.take(digest_size), body = bytes.substr(body_at);
  Sha256 sum;
  in_parts(body.size(), read_on,
           [&](std::size_t first, std::size_t last) { sum.add(body.substr(first, last - first)); });
  if (sum.digest() != digest) fail("damaged or cut short");
}

}  // namespace

std::uint64_t mark_of(std::string_view source, std::string_view target) {
  Sha256 sum;
  for (const std::string_view part : {source, std::string_view("\n"), target}) sum.add(part);
  const std::string digest = sum.digest();
  std::uint64_t mark = 0;
  std::from_chars(digest.data(), digest.data() + 2 * sizeof mark, mark, 16);
  return mark;
}

void store_ids(const std::string& path, const IdsToStore& ids, Links links) {
  const IdCounts counts{ids.line_marks.size(), ids.source.begin.size() - 1, ids.longest,
                        ids.source.ids.size(), ids.target.ids.size(),       ids.source_words,
                        ids.target_words,      ids.source_vocabulary.size()};
  std::uint64_t numbers[std::size(counted)];
  for (std::size_t i = 0; i < std::size(counted); ++i) numbers[i] = counts.*counted[i];
  const std::uint32_t kind[] = {version, order_of_bytes};
  std::vector<std::string_view> parts{ids.made_from, ids.text_checksum, raw_bytes(numbers, std::size(counted)),
                                      raw_bytes(ids.line_marks.data(), ids.line_marks.size())};
  for (const auto* side : {&ids.source.begin, &ids.target.begin, &ids.source.ids, &ids.target.ids})
    parts.push_back(raw_bytes(side->data(), side->size()));
  parts.insert(parts.end(), {ids.source_vocabulary, ids.target_vocabulary});
  Sha256 sum;
  for (const std::string_view part : parts) sum.add(part);
  const std::string digest = sum.digest();
  parts.insert(parts.begin(), {magic, raw_bytes(kind, std::size(kind)), digest});
  write_parts_atomically(path, parts, links);
}

bool is_stored_ids(std::string_view bytes) { return bytes.substr(0, magic.size()) == magic; }

StoredIds stored_ids(std::string_view bytes, const std::function<void()>& read_on) {
  check_frame(bytes, read_on);
  Reader body(bytes.substr(body_at));
  StoredIds ids;
  ids.made_from = body.take(digest_size);
  ids.text_checksum = body.take(digest_size);
  std::uint64_t numbers[std::size(counted)];
  std::memcpy(numbers, body.take(sizeof numbers).data(), sizeof numbers);
  for (std::size_t i = 0; i < std::size(counted); ++i) ids.counts.*counted[i] = numbers[i];
  const IdCounts& n = ids.counts;
  ids.line_marks = body.numbers<std::uint64_t>(n.lines);
  if (n.pairs == 0 || n.pairs > n.lines) fail("damaged");  // from here on pairs + 1 cannot be too large a number
  const auto* const source_begin = body.numbers<std::int32_t>(n.pairs + 1);
  const auto* const target_begin = body.numbers<std::int32_t>(n.pairs + 1);
  ids.source = sentences(body.numbers<std::int32_t>(n.source_tokens), n.source_tokens, source_begin, n.pairs);
  ids.target = sentences(body.numbers<std::int32_t>(n.target_tokens), n.target_tokens, target_begin, n.pairs);
  ids.source_vocabulary = body.take(n.source_bytes);
  ids.target_vocabulary = body.rest();
  constexpr std::size_t word_and_eos = 2, bos = 1;
  const std::uint64_t most = std::min<std::uint64_t>(n.longest, bytes.size());
  check_side(ids.source, word_and_eos, most, n.source_words, read_on);
  check_side(ids.target, word_and_eos + bos, most + bos, n.target_words, read_on);
  return ids;
}

}  // namespace gradus
