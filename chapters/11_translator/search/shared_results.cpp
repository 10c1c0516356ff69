#include "11_translator/search/shared_results.hpp"

#include <cstring>
#include <string>

namespace gradus {
namespace {

/// Appends values to a string of bytes. All ranks have the same byte order, as they run the same program.
class Packer {
 public:
  template <class T>
  void value(const T& x) {
    bytes_.append(reinterpret_cast<const char*>(&x), sizeof x);
  }
  template <class T, class F>
  void list(const std::vector<T>& all, const F& each) {
    value(all.size());
    for (const T& one : all) each(one);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Takes the values out again, in the same order.
class Unpacker {
 public:
  explicit Unpacker(const std::string& bytes) : next_(bytes.data()) {}

  template <class T>
  void value(T& x) {
    std::memcpy(&x, next_, sizeof x);
    next_ += sizeof x;
  }
  template <class T, class F>
  void list(std::vector<T>& all, const F& each) {
    std::size_t size = 0;
    value(size);
    all.resize(size);
    for (T& one : all) each(one);
  }

 private:
  const char* next_;
};

/// The fields of a batch's results, in one order for both directions.
template <class Way, class Batch>
void travel(Way& way, Batch& batch) {
  way.list(batch, [&](auto& best) {
    way.list(best, [&](auto& translation) {
      way.list(translation.words, [&](auto& word) { way.value(word); });
      way.list(translation.log_probs, [&](auto& log_prob) { way.value(log_prob); });
      way.value(translation.log_prob), way.value(translation.score), way.value(translation.ended);
    });
  });
}

}  // namespace

void exchange_results(Ranks& ranks, std::vector<std::vector<NBest>>& results) {
  if (ranks.size() == 1) return;
  Packer mine;
  for (std::size_t b = ranks.rank(); b < results.size(); b += ranks.size()) travel(mine, results[b]);
  const std::vector<std::string> all = all_gather(ranks, mine.bytes());
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    Unpacker theirs(all[r]);
    for (std::size_t b = r; b < results.size(); b += ranks.size()) travel(theirs, results[b]);
  }
}

}  // namespace gradus
