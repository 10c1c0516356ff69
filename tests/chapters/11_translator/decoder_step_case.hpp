#pragma once

#include "09_transformer/model.hpp"
#include "11_translator/search/search.hpp"
#include "chapters/11_translator/tiny_models.hpp"
#include "support/case.hpp"

namespace gradus::test {

/// A script of decoding steps: the words are random, so beams branch, finish and end independently of the model, in
/// the same way on every device. Each step has a spare row, of a finished beam (at = -1). Of four batches, two begin at once and
/// the others when sentences have ended, also in the place of a batch that has ended.
class DecodingScript {
 public:
  static constexpr std::size_t candidates = 5;

  DecodingScript(const ModelConfig& config, std::size_t width, unsigned seed)
      : dice_(seed),
        vocab_(config.target_vocab),
        queue_(sources(), batches(), alone()),
        batch_(places(queue_.places(1, options(width), config)), options(width), config),
        source_ids_(batch_.source_rows()) {
    begin();
  }

  static const std::vector<Sentence>& sources() {
    static const std::vector<Sentence> all = {{4, 5, 4, 3}, {5, 3}, {4, 4, 5, 5, 3}, {5, 5, 3}, {4, 3}};
    return all;
  }
  static SearchOptions options(std::size_t width) {
    SearchOptions o;
    o.beam_size = o.n_best = width;
    o.batch_sentences = o.parts = 4;
    o.decoding.length_factor = 1;
    o.decoding.length_extra = 2;
    return o;
  }

  const BatchSearch& batch() const { return batch_; }
  StepTable with_spare_row() const {
    StepTable t = batch_.step();
    t.ids.push_back(0);
    t.position.push_back(0);
    t.at.push_back(-1);
    t.rows.begin.push_back(0), t.rows.length.push_back(0);
    t.past.begin.push_back(0), t.past.length.push_back(0);
    ++t.rows.rows, ++t.beams.rows;
    return t;
  }

  /// The batches that begin with this step.
  const std::vector<BatchSearch::Begun>& begins() const { return begins_; }

  /// The source of each row of the step, by the source rows that its table names.
  std::vector<Sentence> source_of_rows() const {
    const StepTable t = batch_.step();
    std::vector<Sentence> all;
    for (std::size_t i = 0; i < t.beams.begin.size(); ++i) {
      const auto first = source_ids_.begin() + t.sources.begin[i];
      all.insert(all.end(), static_cast<std::size_t>(t.beams.length[i]), {first, first + t.sources.length[i]});
    }
    return all;
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
    begin();
  }

 private:
  static const std::vector<std::vector<std::size_t>>& batches() {
    static const std::vector<std::vector<std::size_t>> all = {{0, 1}, {2}, {3}, {4}};
    return all;
  }
  static BatchPlaces places(BatchPlaces p) {
    p.count = 3;
    return p;
  }

  void begin() {
    begins_.clear();
    while (const auto next = batch_.begin_next(queue_)) {
      begins_.push_back(*next);
      auto row = source_ids_.begin() + static_cast<std::ptrdiff_t>(next->first);
      for (const Sentence& s : next->sources) row = std::copy(s.begin(), s.end(), row);
    }
  }

  Dice dice_;
  std::size_t vocab_;
  BatchQueue queue_;
  BatchSearch batch_;
  Sentence source_ids_;  // of all source rows
  std::vector<BatchSearch::Begun> begins_;
};

struct DecoderStepCase {
  Norm norm = Norm::pre;
  bool bias = false;
  std::size_t width = 3;
  unsigned seed = 5;
  bool is_turned = false;
  DecoderUnit unit = DecoderUnit::attention;

  ModelConfig config() const {
    ModelConfig c;
    c.source_vocab = 6, c.target_vocab = 40;
    c.d_model = 8, c.heads = 2, c.ffn = 12;
    c.encoder_layers = 1, c.decoder_layers = 2;
    c.norm = norm;
    c.attention_bias = bias;
    c.decoder_unit = unit;
    c.max_length = 9;
    return c;
  }

  std::size_t total_rows() const {
    std::size_t n = 0;
    for (DecodingScript s(config(), width, seed); s.batch().open(); s.next()) n += s.batch().step().ids.size();
    return n;
  }

  void describe(Description& d) const {
    d.component = norm == Norm::pre ? "stepwise_pre" : "stepwise_post";
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
    const DecoderMemory<Dev> memory = room(dev, storage, script.batch());
    std::size_t row = 0;
    for (; script.batch().open(); script.next()) {
      const std::size_t N = script.batch().step().ids.size();
      const StepTable table = script.with_spare_row();
      for (const auto& b : script.begins()) remember(dev, memory, *model, b);
      dev.reset();
      const DecodingStep<Dev> step = {
          on_device(dev, table.ids),  on_device(dev, table.position), on_device(dev, table.at),
          on_device(dev, table.from), on_device(dev, table.to),       on_device(dev, table.rows),
          on_device(dev, table.past), on_device(dev, table.beams),    on_device(dev, table.sources)};
      const In<Dev, 2> y = decoder_step(dev, memory, step, model->params, model->config);
      copy(dev, rows(t.matrix("y"), row, N), rows(y, 0, N));
      row += N;
    }
  }
  template <class Dev>
  void backward(Dev&, const Cache<Dev>&, Tensors<Dev>&) const {}

 private:
  template <class Dev>
  DecoderMemory<Dev> room(Dev& dev, Workspace<typename Dev::Real, typename Dev::Space>& storage,
                          const BatchSearch& batch) const {
    const ModelConfig c = config();
    DecoderMemory<Dev> memory;
    for (std::size_t l = 0; l < c.decoder_layers; ++l) {
      memory.source.push_back(storage.matrix(batch.source_rows(), 2 * c.d_model));
      memory.past.push_back(storage.matrix(batch.past_rows(), width_of_past(c.decoder_unit, c.d_model)));
      if (is_turned) memory.turned.push_back(room_for_turned(dev, storage, batch.source_rows(), c.d_model));
    }
    return memory;
  }

  template <class Dev>
  static void remember(Dev& dev, const DecoderMemory<Dev>& memory, const Model<Dev>& model,
                       const BatchSearch::Begun& b) {
    Sentence ids;
    std::vector<std::int32_t> lengths;
    for (const Sentence& s : b.sources) {
      ids.insert(ids.end(), s.begin(), s.end());
      lengths.push_back(static_cast<std::int32_t>(s.size()));
    }
    dev.reset();
    TransformerCache<Dev> c;
    const Segments<Dev> segments = on_device(dev, SegmentTable::packed(lengths));
    encode(dev, c, on_device(dev, ids), segments, model.params, model.config);
    const DecoderMemory<Dev> own = source_rows(memory, b.first, ids.size());
    remember_source(dev, own, c.memory(), model.params.decoder);
    turn_sources(dev, own, segments);
  }
};

/// The same rows without a past: at each step chapter 08's decoder runs over all words of each beam.
struct WholeDecoderCase : DecoderStepCase {
  template <class Dev>
  void forward(Dev& dev, Cache<Dev>&, Tensors<Dev>& t) const {
    Dice dice(seed);
    const auto model = random_model(dev, config(), dice);
    std::size_t row = 0;
    for (DecodingScript script(config(), width, seed); script.batch().open(); script.next()) {
      const std::vector<Beam> beams = script.batch().open_beams();
      const std::vector<Sentence> sources = script.source_of_rows();
      for (std::size_t n = 0; n < beams.size(); ++n) {
        last_row(dev, rows(t.matrix("y"), row++, 1), *model, sources.at(n), beams[n].words);
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

/// The decoder word by word on all devices; the oracle is the decoder on all words.
inline Component stepwise(const DecoderStepCase& c) {
  const WholeDecoderCase whole{c};
  return {describe(c),
          {runner<Reference<double>>("Reference<double> whole", whole),
           runner<Reference<double>>("Reference<double>", c), runner<Cpu<double>>("Cpu<double>", c),
           runner<Cpu<float>>("Cpu<float>", c)},
          {}};
}

/// A whole search: what it found, and how it scored it.
struct SearchCase {
  DecoderStepCase model;

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
