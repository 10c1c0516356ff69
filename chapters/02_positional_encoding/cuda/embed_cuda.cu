#include "02_positional_encoding/cuda/position_cuda.hpp"
#include "02_positional_encoding/embed.hpp"
#include "gradus/kernels/rows_by_id.hpp"
#include "gradus/random/dropout_cuda.hpp"

namespace gradus {
namespace {

constexpr unsigned threads = 256, rows_per_block = threads / 32;

/// One warp for each row: it finds the row's word and position; then each lane takes four neighbouring columns, one
/// draw of Philox.
template <class Real>
__global__ void forward_kernel(View<Real, 2, Gpu> y, View<const std::int32_t, 1, Gpu> ids,
                               View<const std::int32_t, 1, Gpu> begin, View<const std::int32_t, 1, Gpu> length,
                               View<const std::int32_t, 1, Gpu> start, View<const Real, 2, Gpu> table,
                               View<const Real, 2, Gpu> positions, Real scale, std::int32_t padding,
                               KernelDropout<Real> dropout) {
  const std::size_t n = std::size_t{blockIdx.x} * rows_per_block + threadIdx.x / 32, D = y.extent[1];
  if (n >= y.extent[0]) return;  // a whole warp
  const KernelRow<Real> word = word_row(table, ids[n], padding);
  const KernelRow<Real> place = place_row(positions, warp_position(begin, length, start, n));
  const DropoutDraw draw = dropout.draw();
  for (std::size_t first = 4 * (threadIdx.x % 32); first < D; first += 4 * 32) {
    const auto m = draw.factors<Real>(n, first / 4);
    gpu::Quad<Real> sum = word.quad(first, D);
    const gpu::Quad<Real> encoding = place.quad(first, D);
    for (std::size_t k = 0; k < 4; ++k) sum[k] = m[k] * (scale * sum[k] + encoding[k]);  // eq:2.3
    gpu::store_quad(y.row(n), first, D, sum);
  }
}

/// The term of the sum dtable: a row of dy times its mask, scaled.
template <class Real>
struct KeptRow {
  View<const Real, 2, Gpu> dy;
  std::array<Real, 2> scale;  ///< twice, because bytes of padding could differ between two recordings
  KernelDropout<Real> dropout;
  __device__ gpu::Quad<Real> operator()(std::size_t n, std::size_t quad) const {
    const auto m = dropout.draw().template factors<Real>(n, quad);
    gpu::Quad<Real> term = gpu::load_quad(dy.row(n), 4 * quad, dy.extent[1]);
    for (std::size_t k = 0; k < 4; ++k) term[k] = scale[0] * (m[k] * term[k]);
    return term;
  }
};

}  // namespace

template <class Real, class Dev>
void embed_forward(Cuda<Real>& dev, Out<Dev, 2> y, Ints<Dev, 1> ids, const Segments<Dev>& sentences,
                   Ints<Dev, 1> first, In<Dev, 2> table, In<Dev, 2> positions, const EmbedOptions& options) {
  check_lookup_shapes<Dev>(y, ids, table);
  check_position_shapes<Dev>(y, y, sentences, first, positions);
  check_rate(options.dropout);
  gpu::launch(forward_kernel<Real>, {gpu::blocks_for(y.extent[0], rows_per_block), threads}, y, ids,
              sentences.begin, sentences.length, first, table, positions, static_cast<Real>(options.lookup.scale),
              options.lookup.padding, kernel_dropout(dev, options.dropout));
}

template <class Real, class Dev>
void embed_backward(Cuda<Real>& dev, Acc<Dev, 2> dtable, In<Dev, 2> dy, Ints<Dev, 1> ids,
                    const EmbedOptions& options) {
  check_lookup_shapes<Dev>(dy, ids, dtable);
  check_rate(options.dropout);
  const auto scale = static_cast<Real>(options.lookup.scale);
  gpu::add_rows_by_id<Real>(dev, dtable, ids, options.lookup.padding,
                            KeptRow<Real>{dy, {scale, scale}, kernel_dropout(dev, options.dropout)});
}

template EmbedForward<Cuda<float>> embed_forward;
template EmbedForward<Cuda<double>> embed_forward;
template EmbedBackward<Cuda<float>> embed_backward;
template EmbedBackward<Cuda<double>> embed_backward;

}  // namespace gradus
