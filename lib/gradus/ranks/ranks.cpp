#include "gradus/ranks/ranks.hpp"

#include <algorithm>
#include <cstdint>
#include <new>

#include "gradus/util/error.hpp"

namespace gradus {
namespace {

/// Sends `mine` to all others; `of` says where the value of each other rank goes.
template <class Place>
void to_all(Ranks& ranks, const void* mine, std::size_t bytes, const Place& of) {
  std::vector<Outgoing> out;
  std::vector<Incoming> in;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    if (r == ranks.rank()) continue;
    out.push_back({r, mine, bytes});
    in.push_back(of(r));
  }
  ranks.exchange(out, in);
}

/// What went wrong in a piece of work: nothing, an error, or a wrong command.
struct Fault {
  int status = 0;
  std::string text;
};

Fault fault_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const UsageError& error) {
    return {2, error.what()};
  } catch (const std::bad_alloc&) {
    return {1, "there is not enough memory for this"};
  } catch (const std::exception& error) {
    return {1, error.what()};
  }
  return {};
}

}  // namespace

Ranks& alone() {
  static Alone one;
  return one;
}

std::vector<std::string> all_gather(Ranks& ranks, const std::string& mine) {
  std::vector<std::string> all(ranks.size());
  all[ranks.rank()] = mine;
  const std::uint64_t size = mine.size();
  std::vector<std::uint64_t> sizes(ranks.size());
  to_all(ranks, &size, sizeof size, [&](std::size_t r) { return Incoming{r, &sizes[r], sizeof size}; });
  to_all(ranks, mine.data(), mine.size(), [&](std::size_t r) {
    all[r].resize(sizes[r]);
    return Incoming{r, all[r].data(), all[r].size()};
  });
  return all;
}

std::string broadcast(Ranks& ranks, const std::string& mine) {
  return all_gather(ranks, is_first(ranks) ? mine : "").front();
}

std::optional<Difference> difference(Ranks& ranks, const std::string& mine) {
  const std::vector<std::string> all = all_gather(ranks, mine);
  for (std::size_t r = 1; r < all.size(); ++r) {
    if (all[r] != all[0]) return Difference{r, all[0], all[r]};
  }
  return {};
}

void all_gather_pieces(Ranks& ranks, std::vector<double>& values) {
  const auto place = [&](std::size_t r) {
    const Interval piece = piece_of(r, ranks.size(), values.size());
    return Incoming{r, values.data() + piece.begin, piece.size() * sizeof(double)};
  };
  const Incoming mine = place(ranks.rank());
  to_all(ranks, mine.data, mine.bytes, place);
}

std::uint8_t largest(Ranks& ranks, std::uint8_t mine) {
  std::vector<std::uint8_t> all(ranks.size(), mine);
  to_all(ranks, &all[ranks.rank()], 1, [&](std::size_t r) { return Incoming{r, &all[r], 1}; });
  return *std::max_element(all.begin(), all.end());
}

bool any(Ranks& ranks, bool mine) { return largest(ranks, mine ? 1 : 0) != 0; }

void fail_together(Ranks& ranks, const std::string& text, int status) {
  ranks.set_end_together(true);
  if (!is_first(ranks)) throw EndedWithOthers{status};
  if (status == 2) throw UsageError(text);
  throw Error(text);
}

void require_same(Ranks& ranks, const std::string& what, const std::string& mine) {
  const auto other = difference(ranks, mine);
  if (!other) return;
  fail_together(ranks,
                "rank " + std::to_string(other->rank) + " has another " + what + " (" + other->other + ", not " +
                    other->first + ") than rank 0; all ranks need the same",
                2);
}

void together(Ranks& ranks, const std::function<void()>& work) {
  if (ranks.size() == 1) return work();
  ranks.set_end_together(false);
  const Fault mine = fault_of(work);
  const std::vector<std::string> all =
      all_gather(ranks, mine.status == 0 ? "" : static_cast<char>('0' + mine.status) + mine.text);
  const auto faulty = std::find_if(all.begin(), all.end(), [](const std::string& one) { return !one.empty(); });
  if (faulty == all.end()) return;
  const bool same = std::all_of(all.begin(), all.end(), [&](const std::string& one) { return one == *faulty; });
  const std::string name =
      same || faulty == all.begin() ? "" : "rank " + std::to_string(faulty - all.begin()) + ": ";
  fail_together(ranks, name + faulty->substr(1), faulty->front() - '0');
}

void on_first(Ranks& ranks, const std::function<void()>& work) {
  together(ranks, [&] {
    if (is_first(ranks)) work();
  });
}

}  // namespace gradus
