#pragma once

#include "09_transformer/model.hpp"
#include "11_translator/search/search.hpp"
#include "chapters/11_translator/tiny_models.hpp"
#include "support/case.hpp"

namespace gradus::test {

/// A script of decoding steps: the words are random, so beams branch, finish and end independently of the model, in
/// the same way on every device. Each step has a spare row, of a finished beam (at = -1).
class DecodingScript {
 public:
  static constexpr std::size_t candidates = 5;

  DecodingScript(const ModelConfig& config, std::size_t width, unsigned seed)
      : dice_(seed), vocab_(config.target_vocab), batch_(sources(), options(width), config) {}

  static const std::vector<Sentence>& sources() {
    static const std::vector<Sentence> all = {{4, 5, 4, 3}, {5, 3}, {4, 4, 5, 5, 3}};
    return all;
  }
  static SearchOptions options(std::size_t width) {
    SearchOptions o;
    o.beam_size = o.n_best = width;
    o.decoding.length_factor = 0;
    o.decoding.length_extra = 7;
    return o;
  }

  const BatchSearch& batch() const { return batch_; }

  StepTable with_spare_row() const {
    StepTable t = batch_.step();
    t.ids.push_back(0);
    t.position.push_back(0);
    t.at.push_back(-1);
    t.rows.begin.push_back(0), t.rows.length.push_back(0);
    t.history.begin.push_back(0), t.history.length.push_back(0);
    ++t.rows.rows, ++t.beams.rows;
    return t;
  }

  void next() {
    const std::size_t N = batch_.step().ids.size();
    std::vector<double> scores;
    std::vector<std::int32_t> ids;
    for (std::size_t k = 0; k < N * candidates; ++k) {
      scores.push_back(-0.1 * static_cast<double>(dice_.from(1, 40)));
      ids.push_back(static_cast<std::int32_t>(dice_.from(3, vocab_ - 1)));
    }
    batch_.extend(scores, ids, candidates);
  }

 private:
  Dice dice_;
  std::size_t vocab_;
  BatchSearch batch_;
};

struct CachedDecoderCase {
  Norm norm = Norm::pre;
  bool bias = false;
  std::size_t width = 3;
  unsigned seed = 5;
  bool is_turned = false;

  ModelConfig config() const {
    ModelConfig c;
    c.source_vocab = 6, c.target_vocab = 40;
    c.d_model = 8, c.heads = 2, c.ffn = 12;
    c.encoder_layers = 1, c.decoder_layers = 2;
    c.norm = norm;
    c.attention_bias = bias;
    c.max_length = 9;
    return c;
  }

  std::size_t total_rows() const {
    std::size_t n = 0;
    for (DecodingScript s(config(), width, seed); s.batch().open(); s.next()) n += s.batch().step().ids.size();
    return n;
  }

  void describe(Description& d) const {
    d.component = norm == Norm::pre ? "cached_decoder_pre" : "cached_decoder_post";
    d.output("y", {total_rows(), config().d_model}).constant();  // of every step, one after the other
  }

  template <class Dev>
  struct Cache {};

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>&, Tensors<Dev>& t) const {
    Dice dice(seed);
    const auto model = random_model(dev, config(), dice);
    DecodingScript script(config(), width, seed);
    Workspace<typename Dev::Real, typename Dev::Space> storage;
    storage.poisoned = true;
    const DecoderMemory<Dev> memory = remember(dev, storage, *model, script.batch());
    std::size_t row = 0;
    for (; script.batch().open(); script.next()) {
      const std::size_t N = script.batch().step().ids.size();
      const StepTable table = script.with_spare_row();
      dev.reset();
      const DecodingStep<Dev> step = {
          on_device(dev, table.ids),     on_device(dev, table.position), on_device(dev, table.at),
          on_device(dev, table.from),    on_device(dev, table.to),       on_device(dev, table.rows),
          on_device(dev, table.history), on_device(dev, table.beams),    on_device(dev, table.sources)};
      const In<Dev, 2> y = cached_decoder_forward(dev, memory, step, model->params, model->config);
      copy(dev, rows(t.matrix("y"), row, N), rows(y, 0, N));
      row += N;
    }
  }
  template <class Dev>
  void backward(Dev&, const Cache<Dev>&, Tensors<Dev>&) const {}

 private:
  template <class Dev>
  DecoderMemory<Dev> remember(Dev& dev, Workspace<typename Dev::Real, typename Dev::Space>& storage,
                              const Model<Dev>& model, const BatchSearch& batch) const {
    DecoderMemory<Dev> memory;
    for (std::size_t l = 0; l < model.config.decoder_layers; ++l) {
      memory.source.push_back(storage.matrix(batch.sources().rows, 2 * model.config.d_model));
      memory.history.push_back(storage.matrix(batch.cache_rows(), 2 * model.config.d_model));
      if (is_turned)
        memory.turned.push_back(room_for_turned(dev, storage, batch.sources().rows, model.config.d_model));
    }
    Sentence ids;
    for (const Sentence& s : DecodingScript::sources()) ids.insert(ids.end(), s.begin(), s.end());
    TransformerCache<Dev> c;
    encode(dev, c, on_device(dev, ids), on_device(dev, batch.sources()), model.params, model.config);
    remember_source(dev, memory, c.memory(), model.params.decoder);
    turn_sources(dev, memory, on_device(dev, batch.sources()));
    return memory;
  }
};

/// The same rows without a cache: at each step chapter 08's decoder runs over all words of each beam.
struct UncachedDecoderCase : CachedDecoderCase {
  template <class Dev>
  void forward(Dev& dev, Cache<Dev>&, Tensors<Dev>& t) const {
    Dice dice(seed);
    const auto model = random_model(dev, config(), dice);
    std::size_t row = 0;
    for (DecodingScript script(config(), width, seed); script.batch().open(); script.next()) {
      for (std::size_t i = 0; i < DecodingScript::sources().size(); ++i) {
        for (const Beam& beam : script.batch().open(i)) {
          last_row(dev, rows(t.matrix("y"), row++, 1), *model, DecodingScript::sources()[i], beam.words);
        }
      }
    }
  }

 private:
  template <class Dev>
  static void last_row(Dev& dev, Out<Dev, 2> y, const Model<Dev>& model, const Sentence& source, Sentence input) {
    input.insert(input.begin(), 2);
    dev.reset();
    const auto length = [](const Sentence& s) {
      return SegmentTable::packed({static_cast<std::int32_t>(s.size())});
    };
    const auto sources = on_device(dev, length(source)), targets = on_device(dev, length(input));
    TransformerCache<Dev> c;
    encode(dev, c, on_device(dev, source), sources, model.params, model.config);
    decode(dev, c, {c.memory(), sources}, on_device(dev, input), targets, model.params, model.config);
    copy(dev, y, rows(c.output(), input.size() - 1, 1));
  }
};

/// The cached decoder on all devices; the oracle is the decoder without a cache.
inline Component cached_decoder(const CachedDecoderCase& c) {
  const UncachedDecoderCase uncached{c};
  return {describe(c),
          {runner<Reference<double>>("Reference<double> uncached", uncached),
           runner<Reference<double>>("Reference<double>", c), runner<Cpu<double>>("Cpu<double>", c),
           runner<Cpu<float>>("Cpu<float>", c)},
          {}};
}

/// A whole search: what it found, and how it scored it.
struct SearchCase {
  CachedDecoderCase model;

  void describe(Description& d) const {
    d.component = "search";
    d.output("scores", {DecodingScript::sources().size(), 2}).constant();
    d.output("words", {DecodingScript::sources().size(), 8}).constant();  // padded with 0
  }

  template <class Dev>
  struct Cache {};

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>&, Tensors<Dev>& t) const {
    using Real = typename Dev::Real;
    Dice dice(model.seed);
    const auto tiny = random_model(dev, model.config(), dice);
    Searcher<Dev> searcher(tiny->params, tiny->config, DecodingScript::options(model.width));
    const std::vector<NBest> found = searcher.search(dev, DecodingScript::sources());
    for (std::size_t i = 0; i < found.size(); ++i) {
      t.matrix("scores").row(i)[0] = static_cast<Real>(found[i][0].log_prob);
      t.matrix("scores").row(i)[1] = static_cast<Real>(found[i][0].score);
      fill(dev, rows(t.matrix("words"), i, 1), 0);
      std::copy(found[i][0].words.begin(), found[i][0].words.end(), t.matrix("words").row(i));
    }
  }
  template <class Dev>
  void backward(Dev&, const Cache<Dev>&, Tensors<Dev>&) const {}
};

inline Component search(const SearchCase& c) {
  return {
      describe(c), {runner<Reference<double>>("Reference<double>", c), runner<Cpu<double>>("Cpu<double>", c)}, {}};
}

}  // namespace gradus::test
