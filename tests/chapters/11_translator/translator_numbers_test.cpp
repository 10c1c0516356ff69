// The numbers that a translator reports, for a model whose answers can be computed by hand: it gives each word the
// same probability after every input.

#include <cmath>
#include <cstdio>

#include "09_transformer/model.hpp"
#include "11_translator/storage/model_files.hpp"
#include "11_translator/translator/translator.hpp"
#include "chapters/11_translator/program.hpp"
#include "gradus/device/device.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// Logits of <pad> <unk> <bos> <eos>, of the four words v w x y, and of z.
const std::vector<double> logits{-1, -0.5, 1.6, 1.5, 0.25, 1.75, -2, 1, 0.5};
constexpr int eos = 3, v = 4, w = 5, x = 6, y = 7;

double log_probability(int word) {
  double sum = 0;
  for (const double logit : logits) sum += std::exp(logit);
  return logits[static_cast<std::size_t>(word)] - std::log(sum);
}

/// The last norm has no gain, so that its output is its beta, (1, 0, 0, 0), and the first column of the output
/// table and the output bias give half of the logits each.
ModelFiles constant_model() {
  ModelFiles m{{}, {}, learn_tokenizers({"a b c d e"}, {"v w x y z"}, {TokenizerKind::word, 0, 1, {}}, false)};
  m.config.source_vocab = m.config.target_vocab = logits.size();
  m.config.d_model = 4, m.config.heads = 2, m.config.ffn = 3;
  m.config.encoder_layers = 2, m.config.decoder_layers = 1;
  m.config.tying = Tying::none;
  m.config.output_bias = true;
  m.config.max_length = 6;
  m.config.residual_rate = 0.5;  // for training only
  const Layout layout = transformer_layout<Cpu<float>>(m.config);
  for (std::size_t i = 0; i < layout.size(); ++i) m.weights.push_back(0.01F * static_cast<float>(i % 7));
  const auto set = [&](const char* name, const std::vector<double>& column) {
    const Slice& slice = layout.find(name);
    const std::size_t stride = slice.shape.size() == 2 ? slice.shape[1] : 1;
    for (std::size_t i = 0; i < column.size(); ++i)
      m.weights[slice.offset + i * stride] = static_cast<float>(column[i]);
  };
  set("decoder.0.feed_forward_norm.gamma", {0, 0, 0, 0});
  set("decoder.0.feed_forward_norm.beta", {1, 0, 0, 0});
  std::vector<double> half;
  for (const double logit : logits) half.push_back(logit / 2);
  set("output", half);
  set("output_bias", half);
  return m;
}

/// The number of words of a text; <eos> ends it unless it has the maximum length.
std::size_t words_in(const std::string& text) {
  return text.empty() ? 0 : 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), ' '));
}

double sum_of_log_probabilities(const Tokenizer& target, const std::string& text, bool ended) {
  double sum = ended ? log_probability(eos) : 0;
  for (const int word : target.encode(text)) sum += log_probability(word);
  return sum;
}

}  // namespace

TEST_CASE("teacher-forced: loss and share of right words are those of the references, cut to the positions") {
  const Translator t = Translator::of(constant_model());
  // Always outputs w. Of the tokens w x w <eos>, y <eos> and w w w w w (cut) <eos> seven are right.
  const TeacherForced found = t.teacher_forced({"a", "b c", "a b c d e a b"}, {"w x w", "y", "w w w w w w"}, 2);
  CHECK(found.accuracy == Approx(7.0 / 12).epsilon(1e-12));
  const double sum = 7 * log_probability(w) + log_probability(x) + log_probability(y) + 3 * log_probability(eos);
  CHECK(found.loss == Approx(-sum / 12).epsilon(1e-6));
  CHECK(found.texts == std::vector<std::string>{"w w w w", "w w", "w w w w w w"});
}

TEST_CASE("score_pairs: each token has its log probability, and what is too long is cut and said so") {
  const Translator t = Translator::of(constant_model());
  const std::string longest = "a b c d e a b";
  const auto found = t.score_pairs({"a", "b c", longest, "", longest, "a"},
                                   {"w x w", "", "y w w w w w", "v", "v", "x x x x x x x"}, 2);
  const std::vector<std::vector<int>> tokens{{w, x, w, eos}, {eos},    {y, w, w, w, w, eos},
                                             {v, eos},       {v, eos}, {x, x, x, x, x, eos}};
  const std::vector<std::string> names{"<pad>", "<unk>", "<bos>", "<eos>", "v", "w", "x", "y", "z"};
  REQUIRE(found.size() == tokens.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    REQUIRE(found[i].tokens.size() == tokens[i].size());
    REQUIRE(found[i].log_probs.size() == tokens[i].size());
    double sum = 0;
    for (std::size_t k = 0; k < tokens[i].size(); ++k) {
      CHECK(found[i].tokens[k] == names[static_cast<std::size_t>(tokens[i][k])]);
      CHECK(found[i].log_probs[k] == Approx(log_probability(tokens[i][k])).epsilon(1e-6));
      sum += log_probability(tokens[i][k]);
    }
    CHECK(found[i].log_prob() == Approx(sum).epsilon(1e-6));
    CHECK(found[i].mean() == Approx(sum / static_cast<double>(tokens[i].size())).epsilon(1e-6));
    CHECK(found[i].perplexity() == Approx(std::exp(-sum / static_cast<double>(tokens[i].size()))).epsilon(1e-6));
    CHECK(found[i].source_cut == (i == 2 || i == 4));
    CHECK(found[i].target_cut == (i == 2 || i == 5));
  }
}

TEST_CASE("translate: a score is the sum of log probabilities over the length norm, for every penalty and length") {
  const ModelFiles files = constant_model();
  const Translator t = Translator::of(files);
  std::vector<std::string> best;
  for (const double alpha : {0.0, 1.0, 4.0}) {
    for (const std::size_t longest : {3U, 6U}) {
      TranslateOptions o;
      o.beam_size = 6, o.n_best = 5, o.length_penalty = alpha, o.max_length = longest, o.short_source = 0;
      const auto found = t.translate(std::vector<std::string>{"a b"}, o).front();
      REQUIRE(found.size() == 5);
      for (std::size_t i = 0; i < found.size(); ++i) {
        const std::size_t words = words_in(found[i].text);
        const bool ended = words < longest;
        const double sum = sum_of_log_probabilities(files.tokenizers.target, found[i].text, ended);
        const double tokens = static_cast<double>(words + (ended ? 1 : 0));
        INFO(alpha << " " << longest << " '" << found[i].text << "'");
        CHECK(words <= longest);
        CHECK(found[i].score == Approx(sum / std::pow((5 + tokens) / 6, alpha)).epsilon(1e-6));
        CHECK(found[i].token_log_prob == Approx(sum / tokens).epsilon(1e-6));
        if (i == 0) continue;
        const bool before_ended = words_in(found[i - 1].text) < longest;
        CHECK(before_ended >= ended);  // the cut ones last
        if (before_ended == ended) CHECK(found[i].score <= found[i - 1].score);
      }
      best.push_back(found.front().text);
    }
  }
  CHECK(best == std::vector<std::string>{"w", "w", "w", "w", "w w", "w w w w"});
}

TEST_CASE("translate: a translation is unusual if its mean log probability is below the model's limit") {
  ModelFiles files = constant_model();
  TranslateOptions greedy;
  greedy.beam_size = 1, greedy.max_length = 2;
  const auto is_unusual = [&](double limit) {
    files.unusual_below = limit;
    return Translator::of(files).translate(std::vector<std::string>{"a"}, greedy)[0][0].unusual;
  };
  CHECK_FALSE(is_unusual(log_probability(w) - 1e-3));  // its translation is w w
  CHECK(is_unusual(log_probability(w) + 1e-3));
}

TEST_CASE("translate: the model hesitates where the mean log probability is below half the limit") {
  ModelFiles files = constant_model();
  TranslateOptions greedy;
  greedy.beam_size = 1, greedy.max_length = 2;
  const auto is_hesitant = [&](double limit) {
    files.unusual_below = limit;
    return Translator::of(files).translate(std::vector<std::string>{"a"}, greedy)[0][0].hesitant;
  };
  CHECK_FALSE(is_hesitant(2 * log_probability(w) - 1e-3));
  CHECK(is_hesitant(2 * log_probability(w) + 1e-3));
}

TEST_CASE("explain: candidates have probabilities, most probable first, and the chosen word has its own") {
  const Translator t = Translator::of(constant_model());
  TranslateOptions o;
  o.beam_size = 3, o.length_penalty = 4, o.max_length = 4, o.short_source = 0;
  const Explanation e = t.explain("a d c", o);
  CHECK(e.best.text == "w w");
  REQUIRE(e.source.size() == 4);
  CHECK(e.source[1].text == "d");
  CHECK(e.source[3].text == "<eos>");
  REQUIRE(e.steps.size() == 3);
  const std::vector<int> likeliest{w, 2, eos, y, 8};  // <bos> is a candidate and never output
  for (std::size_t i = 0; i < e.steps.size(); ++i) {
    const NextWord& step = e.steps[i];
    CHECK(step.output.id == (i < 2 ? w : eos));
    CHECK(step.probability == Approx(std::exp(log_probability(step.output.id))).epsilon(1e-6));
    REQUIRE(step.candidates.size() == likeliest.size());
    double sum = 0;
    for (std::size_t k = 0; k < likeliest.size(); ++k) {
      CHECK(step.candidates[k].first.id == likeliest[k]);
      CHECK(step.candidates[k].second == Approx(std::exp(log_probability(likeliest[k]))).epsilon(1e-6));
      sum += step.candidates[k].second;
    }
    CHECK(sum < 1);
  }
  const TranslatedText same = t.translate(std::vector<std::string>{"a d c"}, o)[0][0];
  double product = 1;
  for (const NextWord& step : e.steps) product *= step.probability;
  CHECK(product == Approx(std::exp(3 * same.token_log_prob)).epsilon(1e-6));
}

TEST_CASE("explain: an operation's shape, mean and deviation are those of its result") {
  const Explanation e = Translator::of(constant_model()).explain("a d c", {});
  std::size_t norms = 0;
  for (const TracedOperation& o : e.operations) {
    if (o.name != "layer_norm") continue;
    ++norms;
    if (o.parameter == "decoder.0.feed_forward_norm.gamma") {  // (1, 0, 0, 0) in each row
      CHECK(o.shape[1] == 4);
      CHECK(o.shape[0] == e.steps.size());
      CHECK(o.mean == Approx(0.25));
      CHECK(o.deviation == Approx(std::sqrt(3.0) / 4));
    }
  }
  CHECK(norms == 2 * 2 + 1 + 3 + 1);
  const TracedOperation& last = e.operations.back();
  double mean = 0, square = 0;
  for (const double logit : logits) mean += logit / 9, square += logit * logit / 9;
  CHECK(last.name == "product");
  CHECK(last.parameter == "output");
  CHECK(last.shape[1] == 9);
  CHECK(last.mean == Approx(mean).epsilon(1e-6));
  CHECK(last.deviation == Approx(std::sqrt(square - mean * mean)).epsilon(1e-6));
}

TEST_CASE("explain: the program prints each operation with its own numbers, and each step with its candidates") {
  const Playground place("explain-print");
  const std::string out = gradus_program(place, "explain 'A dog runs.' --model " + toy_model()).out;
  const Explanation e = Translator::load(toy_model()).explain("A dog runs.");
  REQUIRE(e.operations.size() > 20);
  for (const TracedOperation& o : e.operations) {
    char row[400];
    const std::string shape = std::to_string(o.shape[0]) + " x " + std::to_string(o.shape[1]);
    std::snprintf(row, sizeof row, "  %-18s %-40s %11s %9.4f %9.4f\n", o.name.c_str(), o.parameter.c_str(),
                  shape.c_str(), o.mean, o.deviation);
    INFO(row);
    CHECK(out.find(row) != std::string::npos);
  }
  std::size_t at = out.find("the likeliest words at each step");
  for (std::size_t t = 0; t < e.steps.size(); ++t) {
    char number[40];
    std::snprintf(number, sizeof number, "\n  %3zu  ", t + 1);
    at = out.find(number, at);
    REQUIRE(at != std::string::npos);
    const std::string line = out.substr(at, out.find('\n', at + 1) - at);
    for (const auto& [word, probability] : e.steps[t].candidates) {
      char text[400];
      std::snprintf(text, sizeof text, "%5.3f %s", probability, word.text.c_str());
      CHECK(line.find(text) != std::string::npos);
    }
  }
}

TEST_CASE("unusual_below: the lowest log probability of the validation's translations by beam search") {
  const auto model = load_model(toy_model());
  const auto lines = read_file(std::string(GRADUS_CHAPTERS) + "/11_translator/toy/valid.en");
  std::vector<std::string> sources;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) sources.push_back(line);
  REQUIRE(sources.size() == 40);
  std::vector<double> found;
  for (const auto& best : Translator::of(model).translate(sources, {})) found.push_back(best[0].token_log_prob);
  std::sort(found.begin(), found.end());
  REQUIRE(found[0] < found[1]);
  CHECK(model.unusual_below.value() == Approx(found[0]).epsilon(0.02));  // computed before rounding to F16
  CHECK(std::abs(model.unusual_below.value() - found[0]) < std::abs(model.unusual_below.value() - found[1]));
}
