#include "app/bench/bench.hpp"

#include <algorithm>

#include "gradus/device/device.hpp"
#include "gradus/ops/gemm.hpp"
#include "gradus/util/process.hpp"

namespace gradus {
namespace {

/// `count` of the sentences, spread evenly.
std::vector<std::string> spread_evenly(const std::vector<std::string>& all, std::size_t count) {
  std::vector<std::string> some;
  count = std::min(count, all.size());
  for (std::size_t i = 0; i < count; ++i) some.push_back(all[i * all.size() / count]);
  return some;
}

/// The factors of the product that BenchFigures::products measures.
class Product {
 public:
  void run() {
    gemm(dev_, View<float, 2, Host>{c_.data(), {512, 8192}, 8192}, In<Cpu<float>, 2>{a_.data(), {512, 128}, 128},
         In<Cpu<float>, 2>{b_.data(), {128, 8192}, 8192});
  }

 private:
  Cpu<float> dev_;
  std::vector<float> a_ = std::vector<float>(512 * 128, 0.5F), b_ = std::vector<float>(128 * 8192, 0.25F),
                     c_ = std::vector<float>(512 * 8192);
};

class Bench {
 public:
  Bench(const BenchRequest& request, BenchFigures& figures)
      : request_(request),
        f_(figures),
        singles_(spread_evenly(request.sentences, request.singles)),
        translator_(Translator::load(request.model, request.device, request.weights)) {
    f_.weights = translator_.weights();
    f_.sentences = request.sentences.size();
    f_.singles = singles_.size();
    f_.searches.resize(request.beam_size > 1 ? 2 : 1);
    f_.searches.back().beam_size = request.beam_size;
  }

  /// False if it was stopped before its last measurement.
  bool round(bool counts, const std::function<bool()>& stops) {
    // several times, because the first one of a process may have to wait for memory that the system has to clear
    for (int k = 0; k < 5; ++k) {
      measure(f_.loading, counts,
              [&] { (void)Translator::load(request_.model, request_.device, request_.weights); });
    }
    for (int k = 0; k < 5; ++k) measure(f_.products, counts, [&] { product_.run(); });
    for (SearchFigures& s : f_.searches) {
      if (stops()) return false;
      batch(s, counts);
      if (stops()) return false;
      single(s, counts);
    }
    return true;
  }

 private:
  static TranslateOptions options(const SearchFigures& s, std::size_t threads) {
    TranslateOptions o;
    o.beam_size = s.beam_size;
    o.threads = threads;
    return o;
  }

  /// The first call warms up and does not count, so it has time to count the tokens. Every repetition writes the same.
  void batch(SearchFigures& s, bool counts) {
    TranslateOptions o = options(s, request_.threads);
    o.with_tokens = !counts;
    std::vector<std::vector<TranslatedText>> found;
    measure(s.batch, counts, [&] { found = translator_.translate(request_.sentences, o); });
    if (counts) return;
    for (const auto& best : found) s.batch_tokens += best.front().tokens.size();
  }

  void single(SearchFigures& s, bool counts) {
    TranslateOptions o = options(s, 1);
    o.with_tokens = !counts;
    measure(s.single, counts, [&] {
      for (const std::string& sentence : singles_) {
        const auto found = translator_.translate({sentence}, o);
        if (!counts) s.single_tokens += found.front().front().tokens.size();
      }
    });
  }

  const BenchRequest& request_;
  BenchFigures& f_;
  std::vector<std::string> singles_;
  Translator translator_;
  Product product_;
};

}  // namespace

double BenchFigures::processor_share() const {
  double seconds = products.total(), processor = products.processor_total();
  for (const SearchFigures& s : searches) {
    seconds += s.single.total();
    processor += s.single.processor_total();
  }
  return seconds > 0 ? processor / seconds : 1;
}

BenchFigures bench(const BenchRequest& request, const std::function<bool()>& stops,
                   const std::function<void(std::size_t)>& shows) {
  BenchFigures figures;
  Bench bench(request, figures);
  for (std::size_t round = 0; round <= request.rounds; ++round) {
    shows(round);
    BenchFigures whole = figures;
    if (!bench.round(round > 0, stops)) return whole;
    figures.rounds = round;
    figures.peak_memory = peak_memory();
    if (stops()) break;
  }
  return figures;
}

}  // namespace gradus
