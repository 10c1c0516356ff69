#include "05_layer_norm/cuda/layer_norm_naive_cuda.hpp"
#include "chapters/05_layer_norm/add_norm_case.hpp"
#include "chapters/05_layer_norm/layer_norm_case.hpp"
#include "exercises/meter/meter.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// A GPU with the naive version of layer norm.
template <class R>
struct NaiveCuda : Cuda<R> {};
template <class R, class Dev = Cuda<R>>
void layer_norm_forward(NaiveCuda<R>& dev, Out<Dev, 2> y, NormCache<Dev>& cache, In<Dev, 2> x,
                        const NormParams<Dev>& p) {
  naive_layer_norm_forward<R>(dev, y, cache, x, p);
}
template <class R, class Dev = Cuda<R>>
void layer_norm_backward(NaiveCuda<R>& dev, Out<Dev, 2> dx, const NormParams<Dev>& dp, In<Dev, 2> dy, In<Dev, 2> x,
                         const NormCache<Dev>& cache, const NormParams<Dev>& p) {
  naive_layer_norm_backward<R>(dev, dx, dp, dy, x, cache, p);
}

}  // namespace

int main(int, char** arguments) {
  meter<NaiveCuda<float>>("layer_norm_naive_cuda.cu", LayerNormCase{64, 128});
  meter<Cuda<float>>("layer_norm_cuda.cu", LayerNormCase{64, 128});
  meter<Cuda<float>>("add_norm_cuda.cu", AddNormCase{64, 128});
  print_meter(arguments[1]);
}
