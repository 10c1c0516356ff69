#include "10_training/data/take_batch.hpp"
#include "gradus/gpu/language.hpp"
#include "gradus/kernels/reduce.hpp"

namespace gradus {
namespace {

constexpr unsigned threads = 128;

/// Block b takes sentence b: its rows begin where the rows of the earlier sentences end. One further block fills
/// the spare rows.
__global__ void take_kernel(BasicBatchSide<Gpu> batch, BasicSentences<Gpu> corpus,
                            View<const std::int32_t, 1, Gpu> order, const StepState* state) {
  const std::size_t b = blockIdx.x, pairs = state->pairs;
  const std::int32_t* const of_batch = order.data + state->first_pair;
  const auto length = [&](std::size_t i) {
    const std::int32_t sentence = of_batch[i];
    return corpus.begin[sentence + 1] - corpus.begin[sentence] - (batch.next ? 1 : 0);
  };
  std::int32_t before = 0;
  for (std::size_t i = threadIdx.x; i < b && i < pairs; i += blockDim.x) before += length(i);
  before = gpu::block_sum(before);
  if (b == batch.begin.extent[0]) {
    for (std::size_t n = before + threadIdx.x; n < batch.ids.extent[0]; n += blockDim.x) {
      batch.ids[n] = 0;
      if (batch.next) batch.next[n] = -1;
    }
    return;
  }
  const bool is_spare = b >= pairs;
  const std::int32_t rows = is_spare ? 0 : length(b);
  if (threadIdx.x == 0) {
    batch.begin[b] = is_spare ? 0 : before;
    batch.length[b] = rows;
  }
  const std::int32_t* const tokens = corpus.ids.data + (is_spare ? 0 : corpus.begin[of_batch[b]]);
  for (std::int32_t n = threadIdx.x; n < rows; n += blockDim.x) {
    batch.ids[before + n] = tokens[n];
    if (batch.next) batch.next[before + n] = tokens[n + 1];
  }
}

}  // namespace

template <class Real, class Dev>
void take_sentences(Cuda<Real>& dev, const BatchSide<Dev>& batch, const Sentences<Dev>& corpus,
                    Ints<Dev, 1> order) {
  check_batch<Dev>(dev.state, batch, corpus, order);
  const unsigned blocks = gpu::blocks_for(batch.begin.extent[0] + 1, 1);
  gpu::launch(take_kernel, {blocks, threads}, batch, corpus, order, dev.device_state());
}

using F = Cuda<float>;
using D = Cuda<double>;
template void take_sentences(F&, const BatchSide<F>&, const Sentences<F>&, Ints<F, 1>);
template void take_sentences(D&, const BatchSide<D>&, const Sentences<D>&, Ints<D, 1>);

}  // namespace gradus
