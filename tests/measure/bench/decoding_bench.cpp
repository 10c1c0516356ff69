// The leaves of a search beside what they replace: products of some rows, the choice of words, attention.
//
//     cmake --build build/release --target bench_decoding && build/release/tests/chapters/09_transformer/bench_decoding
//
// One thread, width 128, 10,000 words, 4 heads. FAST.md of chapters 00, 03 and 09 explain the results.

#include <benchmark/benchmark.h>
#include <cblas.h>

#include <random>
#include <vector>

#include "03_attention/attend.hpp"
#include "09_transformer/output_top_k.hpp"
#include "gradus/ops/blas/blas_call.hpp"
#include "gradus/ops/cpu/float_product_cpu.hpp"
#include "gradus/ops/cpu/int8_weights.hpp"

using namespace gradus;

namespace {

using Dev = Cpu<float>;
constexpr std::size_t D = 128, F = 512, words = 10000, K = 7;

struct Floats {
  Floats(std::size_t rows, std::size_t columns) : values(rows * columns), width(columns) {
    std::mt19937 generator(1);
    std::normal_distribution<float> draw;
    for (float& x : values) x = draw(generator);
  }
  View<float, 2, Host> view() { return {values.data(), {values.size() / width, width}, width}; }
  std::vector<float> values;
  std::size_t width;
};

std::size_t rows_of(const benchmark::State& state) { return static_cast<std::size_t>(state.range(0)); }

/// `multiplications` of each round, two operations each.
void rate(benchmark::State& state, std::size_t multiplications) {
  state.counters["GFLOP/s"] =
      benchmark::Counter(2e-9 * static_cast<double>(multiplications) * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate);
}

/// N rows times a map of `in` to F columns, both times from and to the same memory.
void multiply_by_blas(benchmark::State& state, std::size_t in) {
  const std::size_t N = rows_of(state);
  Floats x(N, in), w(in, F), y(N, F);
  for (auto _ : state) {
    const BlasCall scope;  // as gemm does for a product that it leaves to BLAS
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(N), F, static_cast<int>(in), 1,
                x.values.data(), static_cast<int>(in), w.values.data(), F, 0, y.values.data(), F);
  }
  rate(state, N * in * F);
}
void multiply_by_gemm(benchmark::State& state, std::size_t in) {
  const std::size_t N = rows_of(state);
  Floats x(N, in), w(in, F), y(N, F);
  Dev dev;
  for (auto _ : state) gemm(dev, y.view(), Factor<Dev>(x.view()), Factor<Dev>(w.view()));
  rate(state, N * in * F);
}
void map_by_blas(benchmark::State& state) { multiply_by_blas(state, D); }
void map_by_gemm(benchmark::State& state) { multiply_by_gemm(state, D); }

void map_by_int8(benchmark::State& state) {
  const std::size_t N = rows_of(state);
  Floats x(N, D), w(D, F), y(N, F);
  Int8Weights copies;
  copies.add(w.view(), false);
  Dev dev;
  dev.use(&copies);
  for (auto _ : state) gemm(dev, y.view(), Factor<Dev>(x.view()), Factor<Dev>(w.view()));
  rate(state, N * D * F);
}

// The largest product that gemm computes by tiles on every processor.
constexpr std::size_t most_rows = 256, most_in = 1024;
static_assert(is_tiled(most_rows, F, most_in), "gemm gives this product to BLAS");
static_assert(tiles_beat_blas || (!is_tiled(most_rows + 1, F, most_in) && !is_tiled(most_rows, F, most_in + 1)),
              "gemm computes larger products by tiles");
void largest_by_blas(benchmark::State& state) { multiply_by_blas(state, most_in); }
void largest_by_gemm(benchmark::State& state) { multiply_by_gemm(state, most_in); }

/// `call` chooses the best words of N rows with an output layer.
template <class Call>
void choose(benchmark::State& state, bool panels, bool int8, Call&& call) {
  const std::size_t N = rows_of(state);
  Floats x(N, D), table(words, D), scores(N, K);
  std::vector<std::int32_t> ids(N * K);
  Dev dev;
  Workspace<float, Host> memory;
  OutputParams<Dev> p{table.view(), {}, {}};
  if (panels) p.panels = output_panels(dev, memory, p);
  Int8Weights copies;
  copies.add(table.view(), true);
  if (int8) dev.use(&copies);
  const OutInts<Dev, 2> chosen{ids.data(), {N, K}, K};
  for (auto _ : state) call(dev, scores.view(), chosen, In<Dev, 2>(x.view()), p);
  rate(state, N * D * words);
}
void choice_of_written_logits(benchmark::State& state) {
  Floats logits(rows_of(state), words);
  choose(state, false, false, [&](Dev& dev, auto scores, auto ids, auto x, const auto& p) {
    output_forward(dev, logits.view(), x, p);
    log_probs_top_k(dev, scores, ids, In<Dev, 2>(logits.view()));
  });
}
void choice_in_one_pass(benchmark::State& state) {
  choose(state, false, false, [](Dev& dev, auto... arguments) { output_top_k(dev, arguments...); });
}
void choice_with_panels(benchmark::State& state) {
  choose(state, true, false, [](Dev& dev, auto... arguments) { output_top_k(dev, arguments...); });
}

void choice_by_int8(benchmark::State& state) {
  choose(state, false, true, [](Dev& dev, auto... arguments) { output_top_k(dev, arguments...); });
}

/// 48 sentences: `call` attends with some queries of each (the first argument) over some keys (the second).
template <class Call>
void attend_to(benchmark::State& state, Call&& call) {
  const std::vector<std::int32_t> queries(48, static_cast<std::int32_t>(state.range(0))),
      keys(48, static_cast<std::int32_t>(state.range(1)));
  const SegmentTable q = SegmentTable::packed(queries), k = SegmentTable::packed(keys);
  Floats x(q.rows, D), kv(k.rows, 2 * D), y(q.rows, D);
  Dev dev;
  const AttentionInput<Dev> input{x.view(), columns(kv.view(), 0, D), columns(kv.view(), D, D), q.view(), k.view()};
  const AttentionOptions options{4, false, {}};
  for (auto _ : state) {
    const auto mark = dev.kept.mark();
    call(dev, y.view(), input, options);
    dev.kept.release(mark);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(q.rows));
}
void attention_that_saves(benchmark::State& state) {
  attend_to(state, [](Dev& dev, auto y, const auto& input, const auto& options) {
    AttentionCache<Dev> cache;
    attention_forward(dev, y, cache, input, options);
  });
}
void attention_alone(benchmark::State& state) {
  attend_to(state,
            [](Dev& dev, auto y, const auto& input, const auto& options) { attend(dev, y, input, options); });
}
void attention_to_turned_keys(benchmark::State& state) {
  Workspace<float, Host> memory;
  Out<Dev, 2> turned;
  attend_to(state, [&](Dev& dev, auto y, const auto& input, const auto& options) {
    if (!turned) {
      turned = room_for_turned(dev, memory, input.k.extent[0], input.k.extent[1]);
      turn_keys(dev, turned, input.k, input.keys);
    }
    attend(dev, y, input, options, turned);
  });
}
void few_queries(benchmark::internal::Benchmark* b) { b->ArgsProduct({{1, 5}, {13, 200}}); }

BENCHMARK(map_by_blas)->Arg(1)->Arg(5)->Arg(48)->Arg(240);
BENCHMARK(map_by_gemm)->Arg(1)->Arg(5)->Arg(48)->Arg(240);
BENCHMARK(map_by_int8)->Arg(1)->Arg(5)->Arg(48)->Arg(240);
BENCHMARK(largest_by_blas)->Arg(most_rows);
BENCHMARK(largest_by_gemm)->Arg(most_rows);
BENCHMARK(choice_of_written_logits)->Arg(1)->Arg(5)->Arg(48)->Arg(240);
BENCHMARK(choice_in_one_pass)->Arg(1)->Arg(5)->Arg(48)->Arg(240);
BENCHMARK(choice_with_panels)->Arg(1)->Arg(5)->Arg(48)->Arg(240);
BENCHMARK(choice_by_int8)->Arg(1)->Arg(5)->Arg(48)->Arg(240);
BENCHMARK(attention_that_saves)->Apply(few_queries);
BENCHMARK(attention_alone)->Apply(few_queries);
BENCHMARK(attention_to_turned_keys)->Apply(few_queries);

}  // namespace

BENCHMARK_MAIN();
