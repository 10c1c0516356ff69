#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "00_foundations/tiny.hpp"
#include "02_positional_encoding/embed.hpp"
#include "02_positional_encoding/sinusoids.hpp"
#include "09_transformer/output_map.hpp"
#include "chapters/09_transformer/log_probabilities.hpp"
#include "gradus/ops/elementwise.hpp"
#include "gradus/tensor/segments.hpp"
#include "support/catch.hpp"
#include "support/packed.hpp"
#include "support/plain.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// x = embed(ids, embedding) + f, z = x table^T, and backward from the mean of the squares of z. The two tables may be one.
template <class Dev>
struct Frame {
  Frame(std::vector<double>& embedding, std::vector<double>& dembedding, std::vector<double>& table,
        std::vector<double>& dtable, const std::vector<double>& f) {
    const std::vector<std::int32_t>& ids = tiny::decoder_input_ids();
    const std::size_t D = tiny::D, N = ids.size(), Vocab = table.size() / D;
    const Ints<Dev, 1> words{ids.data(), {N}, N};
    const SegmentTable sentence = SegmentTable::packed({static_cast<std::int32_t>(N)});
    const EmbedOptions options{{embedding_scale(D), 0}, {}};
    Dev dev;
    const Out<Dev, 2> positions = dev.kept.matrix(N, D);
    sinusoids(dev, positions);
    e.resize(N * D), df.resize(N * D), z.resize(N * Vocab);
    embed_forward(dev, as_rows(e, D), words, sentence.view(), Ints<Dev, 1>{}, as_rows(embedding, D), positions,
                  options);
    for (std::size_t i = 0; i < e.size(); ++i) x.push_back(e[i] + f[i]);
    output_forward(dev, as_rows(z, Vocab), as_rows(x, D), {as_rows(table, D), {}});
    std::vector<double> dz;
    for (const double value : z) dz.push_back(2 * value / static_cast<double>(z.size()));
    output_backward(dev, as_rows(df, D), {as_rows(dtable, D), {}}, as_rows(dz, Vocab), as_rows(x, D),
                    {as_rows(table, D), {}});
    embed_backward(dev, as_rows(dembedding, D), as_rows(df, D), words, options);
    add_due_sums(dev);
  }
  std::vector<double> e, x, z, df;
};

}  // namespace

TEMPLATE_TEST_CASE("transformer: plain.cpp computes what the library computes", "", Reference<double>,
                   Cpu<double>) {
  PlainNumbers plain(GRADUS_PLAIN);
  std::vector<double>&w_t = plain.input("w_t"), &w_o = plain.input("w_o");
  const std::vector<double>& f = plain.input("f");
  plain.agrees("w_t", elements(tiny::matrix("target_embedding")));
  plain.agrees("w_o", elements(tiny::matrix("output")));

  std::vector<double> dw_t(w_t.size(), 0.0), dw_o(w_o.size(), 0.0), dw(w_o.size(), 0.0);
  const Frame<TestType> untied(w_t, dw_t, w_o, dw_o, f);
  plain.agrees("e", untied.e);
  plain.agrees("x", untied.x);
  plain.agrees("z", untied.z);
  plain.agrees("log_p", log_probabilities<TestType>(untied.z, w_o.size() / tiny::D));
  plain.agrees("df", untied.df);
  plain.agrees("dw_t", dw_t);
  plain.agrees("dw_o", dw_o);

  const Frame<TestType> tied(w_o, dw, w_o, dw, f);
  plain.agrees("tied_z", tied.z);
  plain.agrees("tied_dw", dw);
  plain.all_were_used();
}
