#include "chapters/05_layer_norm/add_norm_case.hpp"
#include "chapters/05_layer_norm/layer_norm_case.hpp"
#include "chapters/05_layer_norm/layer_norm_versions.hpp"
#include "exercises/meter/meter.hpp"

using namespace gradus;
using namespace gradus::test;

int main(int, char** arguments) {
  using Other = LayerNormVersionCuda<float>;
  for (const Other::Version* version : Other::Version::all()) {
    Other::version = version;
    meter<Other>("layer_norm_" + version->name + "_cuda.cu", LayerNormCase{64, 128});
  }
  meter<Cuda<float>>("layer_norm_cuda.cu", LayerNormCase{64, 128});
  meter<Cuda<float>>("add_norm_cuda.cu", AddNormCase{64, 128});
  print_meter(arguments[1]);
}
