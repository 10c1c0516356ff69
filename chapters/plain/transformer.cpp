// The Transformer of "Attention Is All You Need" in one file of standard C++17: encoder and
// decoder, the loss, every gradient by hand, Adam, greedy and beam search.
//   g++ -O2 transformer.cpp -o transformer
//   ./transformer              learns to reverse rows of digits; then it gets rows it never saw
//   ./transformer sentences    learns forty English sentences with their French translations
//   ./transformer check        compares every gradient with finite differences
//   ./transformer dump         prints a small model, a batch, and their loss and gradients
// A second word says where the layer norms stand: `post`, after each sublayer as in the paper,
// or `pre`, before it. Without it they stand as in the paper; `check` then tries both.
//
// The sections are those of the paper (Vaswani et al. 2017, arXiv 1706.03762). (1) to (3) are
// its equations; eq:5.7 is an equation in the lesson of gradus' chapter 05. A component is a
// struct with its parameters, with what forward keeps for backward, and with two functions:
//   y = forward(x)       its output;
//   dx = backward(dy)    the letter d means "derivative of the loss by". dy comes in, dx goes
//                        out, and each parameter's share is added to its `gradient`.
// So backward walks through forward in the opposite order. There is no tape and no autograd.
// Sizes: B sentences, T positions of queries, S of keys, N = B T rows, D width of the model,
// H heads, Dk = D / H, F inner width of the feed-forward network. A matrix has a row per word.
// Dropout is left out: digits hardly repeat, and the sentences are to be learnt by heart.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <deque>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using std::size_t;
using Real = double;  // float would do for training, but not for the check of the gradients
using Ids = std::vector<size_t>;
Real real(size_t n) { return static_cast<Real>(n); }
// The first words of every vocabulary: padding, the begin and the end of a sentence.
constexpr size_t PAD = 0, BOS = 1, EOS = 2, FIRST_WORD = 3;

struct Config {
  size_t source_words, target_words, D, H, F, encoder_layers, decoder_layers;
  bool pre_norm;
};

// ------------------------------------------------------------------ matrices (chapter 00)
struct Matrix {
  size_t rows, columns;
  std::vector<Real> values;  // row after row
  explicit Matrix(size_t r = 0, size_t c = 0) : rows(r), columns(c), values(r * c) {}
  Real* operator[](size_t row) { return values.data() + row * columns; }
  const Real* operator[](size_t row) const { return values.data() + row * columns; }
};

Real dot(const Real* a, const Real* b, size_t n) {
  Real sum = 0;
  for (size_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

// y += factor x
void add_scaled(Real* y, Real factor, const Real* x, size_t n) {
  for (size_t i = 0; i < n; ++i) y[i] += factor * x[i];
}

// y += a b. A row of y is a sum of rows of b, so the inner loop runs through memory in order.
// Four rows are added at a time: y is then read and written a quarter as often.
void add_product(Matrix& y, const Matrix& a, const Matrix& b) {
  for (size_t i = 0; i < a.rows; ++i) {
    Real* out = y[i];
    const Real* f = a[i];
    size_t k = 0;
    for (; k + 4 <= a.columns; k += 4) {
      const Real *b0 = b[k], *b1 = b[k + 1], *b2 = b[k + 2], *b3 = b[k + 3];
      for (size_t j = 0; j < b.columns; ++j)
        out[j] += f[k] * b0[j] + f[k + 1] * b1[j] + f[k + 2] * b2[j] + f[k + 3] * b3[j];
    }
    for (; k < a.columns; ++k) add_scaled(out, f[k], b[k], b.columns);
  }
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix y(a.rows, b.columns);
  add_product(y, a, b);
  return y;
}

Matrix transpose(const Matrix& x) {
  Matrix y(x.columns, x.rows);
  for (size_t i = 0; i < x.rows; ++i)
    for (size_t j = 0; j < x.columns; ++j) y[j][i] = x[i][j];
  return y;
}

Matrix operator+(Matrix a, const Matrix& b) {
  add_scaled(a.values.data(), 1, b.values.data(), a.values.size());
  return a;
}

// ---------------------------------------- parameters, and the linear map (chapters 00 and 09)
// The distributions of the standard library differ between compilers; these do not.
struct Random {
  std::mt19937_64 bits{2017};
  Real uniform() { return static_cast<Real>(bits() >> 11) * 0x1p-53; }  // in [0, 1)
  size_t below(size_t n) { return static_cast<size_t>(uniform() * real(n)); }
};

struct Parameter {
  std::string name;
  Matrix value, gradient, m, v;  // m and v are the moments of Adam
};

// Components hold references to their parameters; these stay valid when a deque grows.
struct Parameters {
  std::deque<Parameter> all;
  Random random;
  // Each value is `start` plus a uniform random number with that variance.
  Parameter& add(const std::string& name, size_t rows, size_t cols, Real start, Real variance) {
    const Matrix zeros(rows, cols);
    all.push_back({name, zeros, zeros, zeros, zeros});
    const Real bound = std::sqrt(3 * variance);
    for (Real& x : all.back().value.values) x = start + bound * (2 * random.uniform() - 1);
    return all.back();
  }
};

// y = x w + b; attention leaves out b. Xavier's variance keeps the size of y and dx.
struct Linear {
  Parameter& w;  // (inputs, outputs)
  Parameter* b;  // (1, outputs), or null
  Matrix x;
  Linear(Parameters& p, const std::string& name, size_t inputs, size_t outputs, bool bias)
      : w(p.add(name + ".w", inputs, outputs, 0, 2 / real(inputs + outputs))),
        b(bias ? &p.add(name + ".b", 1, outputs, 0, 0) : nullptr) {}
  Matrix forward(const Matrix& input) {
    x = input;
    Matrix y = product(x, w.value);  // eq:0.1
    for (size_t n = 0; b && n < y.rows; ++n) add_scaled(y[n], 1, b->value[0], y.columns);
    return y;
  }
  Matrix backward(const Matrix& dy) {
    add_product(w.gradient, transpose(x), dy);  // eq:0.4
    for (size_t n = 0; b && n < dy.rows; ++n) add_scaled(b->gradient[0], 1, dy[n], dy.columns);
    return product(dy, transpose(w.value));  // eq:0.3
  }
};

// --------------------------- 3.1  layer norm, residual connection (chapters 05 and 07)
// Each row gets mean 0 and variance 1, then a gain and a shift (Ba, Kiros, Hinton 2016).
struct LayerNorm {
  Parameter &gamma, &beta;  // (1, D)
  Matrix xhat;              // (N, D), the normalised rows
  std::vector<Real> rstd;   // (N), 1 / standard deviation
  LayerNorm(Parameters& p, const std::string& name, size_t D)
      : gamma(p.add(name + ".gamma", 1, D, 1, 0)), beta(p.add(name + ".beta", 1, D, 0, 0)) {}
  Matrix forward(const Matrix& x) {
    const Real D = real(x.columns);
    Matrix y = xhat = x;
    rstd.resize(x.rows);
    for (size_t n = 0; n < x.rows; ++n) {
      Real mean = 0, variance = 0;
      for (size_t j = 0; j < x.columns; ++j) mean += x[n][j] / D;
      for (size_t j = 0; j < x.columns; ++j) variance += std::pow(x[n][j] - mean, 2) / D;
      rstd[n] = 1 / std::sqrt(variance + 1e-5);  // eq:5.1; a constant row stays finite
      for (size_t j = 0; j < x.columns; ++j) {
        xhat[n][j] = (x[n][j] - mean) * rstd[n];                      // eq:5.2
        y[n][j] = gamma.value[0][j] * xhat[n][j] + beta.value[0][j];  // eq:5.3
      }
    }
    return y;
  }
  // Mean and variance depend on the whole row; the two means of the gradient come from that.
  Matrix backward(const Matrix& dy) {
    const Real D = real(dy.columns);
    Matrix dx(dy.rows, dy.columns);
    for (size_t n = 0; n < dy.rows; ++n) {
      Real mean_g = 0, mean_gx = 0;  // of g = gamma dy, and of g xhat
      for (size_t j = 0; j < dy.columns; ++j) {
        gamma.gradient[0][j] += dy[n][j] * xhat[n][j];  // eq:5.5
        beta.gradient[0][j] += dy[n][j];                // eq:5.6
        dx[n][j] = gamma.value[0][j] * dy[n][j];
        mean_g += dx[n][j] / D;
        mean_gx += dx[n][j] * xhat[n][j] / D;
      }
      for (size_t j = 0; j < dy.columns; ++j)
        dx[n][j] = rstd[n] * (dx[n][j] - mean_g - xhat[n][j] * mean_gx);  // eq:5.7
    }
    return dx;
  }
};

// A sublayer f with the sum and the norm around it. Post-norm, the paper's: norm(x + f(x)).
// Pre-norm: x + f(norm(x)), so x runs through the stack unchanged. f may read more than x.
template <class Sublayer> struct Residual {
  Sublayer f;
  LayerNorm norm;
  bool pre;
  Residual(Parameters& p, const std::string& name, const Config& c)
      : f(p, name, c), norm(p, name + ".norm", c.D), pre(c.pre_norm) {}
  template <class... More> Matrix forward(const Matrix& x, More&... more) {
    if (pre) return x + f.forward(norm.forward(x), more...);
    return norm.forward(x + f.forward(x, more...));
  }
  // x was read twice, as itself and by f: both gradients are added.
  template <class... More> Matrix backward(const Matrix& dy, More&... dmore) {
    if (pre) return dy + norm.backward(f.backward(dy, dmore...));
    const Matrix ds = norm.backward(dy);
    return ds + f.backward(ds, dmore...);
  }
};

// -------------------------------------------------- 3.2  attention (chapters 03 and 04)
// The ids of B sentences, all of one length: shorter ones end with padding.
struct Sentences {
  size_t B = 0, length = 0;
  Ids ids;  // sentence after sentence
};

// Which keys a query may see: no padding, and in the decoder's self-attention no later word.
struct Mask {
  const Sentences& keys;
  bool look_ahead;
};

// The largest element is subtracted first; without that, exp could overflow.
std::vector<Real> log_softmax(const Real* x, size_t n) {
  const Real largest = *std::max_element(x, x + n);
  Real total = 0;
  for (size_t j = 0; j < n; ++j) total += std::exp(x[j] - largest);
  std::vector<Real> log_p(x, x + n);
  for (Real& one : log_p) one -= largest + std::log(total);  // eq:9.5
  return log_p;
}

// Queries come from x, keys and values from the memory. Head h has Dk columns from h Dk on.
struct MultiHeadAttention {
  size_t H, Dk;
  Linear q_map, k_map, v_map, o_map;  // the paper's W^Q, W^K, W^V of all heads, and W^O
  size_t T = 0, S = 0;
  Matrix q, k, v;  // (B T, D), (B S, D), (B S, D)
  Matrix weights;  // (B H T, S), how much each query looks at each key
  MultiHeadAttention(Parameters& p, const std::string& name, const Config& c)
      : H(c.H), Dk(c.D / c.H), q_map(p, name + ".q", c.D, c.D, false),
        k_map(p, name + ".k", c.D, c.D, false), v_map(p, name + ".v", c.D, c.D, false),
        o_map(p, name + ".o", c.D, c.D, false) {}
  Matrix forward(const Matrix& x, const Matrix& memory, const Mask& mask) {
    T = x.rows / mask.keys.B, S = mask.keys.length;
    q = q_map.forward(x), k = k_map.forward(memory), v = v_map.forward(memory);  // eq:3.5
    weights = Matrix(mask.keys.B * H * T, S);
    Matrix y(x.rows, x.columns);
    for (size_t r = 0; r < weights.rows; ++r) attend(y, r, mask);
    return o_map.forward(y);  // eq:3.6
  }
  // (1): softmax(q k^T / sqrt(Dk)) v, for the query of row r of the weights.
  void attend(Matrix& y, size_t r, const Mask& mask) {
    const size_t b = r / (H * T), h = r / T % H, t = r % T, c = h * Dk;
    std::vector<Real> score(S, -INFINITY);  // where the mask forbids: weight 0
    for (size_t j = 0; j < S; ++j) {
      if (mask.keys.ids[b * S + j] == PAD || (j > t && !mask.look_ahead)) continue;  // eq:4.2
      score[j] = dot(q[b * T + t] + c, k[b * S + j] + c, Dk) / std::sqrt(real(Dk));  // eq:3.1
    }
    const std::vector<Real> log_p = log_softmax(score.data(), S);
    for (size_t j = 0; j < S; ++j) {
      weights[r][j] = std::exp(log_p[j]);                                 // eq:3.2
      add_scaled(y[b * T + t] + c, weights[r][j], v[b * S + j] + c, Dk);  // eq:3.3
    }
  }
  // Returns dx, and adds the memory's gradient to dmemory. The mask is not needed: where it
  // forbids, the weight is 0, and so is all that is multiplied by it.
  Matrix backward(const Matrix& dout, Matrix& dmemory) {
    const Matrix dy = o_map.backward(dout);
    Matrix dq(q.rows, q.columns), dk(k.rows, k.columns), dv(v.rows, v.columns);
    for (size_t r = 0; r < weights.rows; ++r) attend_backward(dq, dk, dv, dy, r);
    dmemory = dmemory + k_map.backward(dk) + v_map.backward(dv);  // eq:8.4
    return q_map.backward(dq);
  }
  void attend_backward(Matrix& dq, Matrix& dk, Matrix& dv, const Matrix& dy, size_t r) {
    const size_t b = r / (H * T), h = r / T % H, t = r % T, c = h * Dk, row = b * T + t;
    const Real* p = weights[r];
    std::vector<Real> dp(S);
    for (size_t j = 0; j < S; ++j) {
      add_scaled(dv[b * S + j] + c, p[j], dy[row] + c, Dk);  // eq:3.7
      dp[j] = dot(dy[row] + c, v[b * S + j] + c, Dk);        // eq:3.8
    }
    const Real mean = dot(p, dp.data(), S);
    for (size_t j = 0; j < S; ++j) {
      const Real ds = p[j] * (dp[j] - mean) / std::sqrt(real(Dk));  // eq:3.9
      add_scaled(dq[row] + c, ds, k[b * S + j] + c, Dk);            // eq:3.10
      add_scaled(dk[b * S + j] + c, ds, q[row] + c, Dk);            // eq:3.11
    }
  }
  // Self-attention: the memory is x, so both gradients are x's.
  Matrix forward(const Matrix& x, const Mask& mask) { return forward(x, x, mask); }
  Matrix backward(const Matrix& dout) {
    Matrix dmemory(k.rows, k.columns);
    const Matrix dx = backward(dout, dmemory);
    return dx + dmemory;
  }
};

// ----------------------------------------------------------- 3.3  feed-forward (chapter 06)
// (2): max(0, x w1 + b1) w2 + b2, for every row the same.
struct FeedForward {
  Linear inner, outer;
  FeedForward(Parameters& p, const std::string& name, const Config& c)
      : inner(p, name + ".inner", c.D, c.F, true), outer(p, name + ".outer", c.F, c.D, true) {}
  Matrix forward(const Matrix& x) {
    Matrix h = inner.forward(x);
    for (Real& z : h.values) z = std::max(Real{0}, z);  // eq:6.2
    return outer.forward(h);                            // eq:6.1
  }
  Matrix backward(const Matrix& dy) {
    Matrix dh = outer.backward(dy);
    for (size_t i = 0; i < dh.values.size(); ++i)
      if (outer.x.values[i] <= 0) dh.values[i] = 0;  // eq:6.5
    return inner.backward(dh);
  }
};

// --------------------------------- 3.4, 3.5  embedding and positions (chapters 01 and 02)
Matrix positional_encoding(size_t length, size_t D) {
  Matrix pe(length, D);
  for (size_t i = 0; i < length * D; ++i) {
    const size_t p = i / D, j = i % D;
    const Real angle = real(p) / std::pow(10000, real(j - j % 2) / real(D));
    pe[p][j] = j % 2 == 0 ? std::sin(angle) : std::cos(angle);  // eq:2.1
  }
  return pe;
}

// The table starts with variance 1 / D, so a vector has elements of size 1, as a position has.
struct Embedding {
  Parameter& table;  // (words, D)
  Real scale;        // sqrt(D)
  Ids ids;
  Embedding(Parameters& p, const std::string& name, size_t words, size_t D)
      : table(p.add(name, words, D, 0, 1 / real(D))), scale(std::sqrt(real(D))) {}
  Matrix forward(const Sentences& sentences) {
    ids = sentences.ids;
    Matrix x(ids.size(), table.value.columns);
    const Matrix pe = positional_encoding(sentences.length, x.columns);
    for (size_t n = 0; n < x.rows; ++n) {
      add_scaled(x[n], scale, table.value[ids[n]], x.columns);   // eq:1.1
      add_scaled(x[n], 1, pe[n % sentences.length], x.columns);  // eq:2.2
    }
    return x;
  }
  void backward(const Matrix& dx) {
    for (size_t n = 0; n < dx.rows; ++n)
      add_scaled(table.gradient[ids[n]], scale, dx[n], dx.columns);  // eq:1.3
  }
};

// -------------------------------------- 3.1  encoder and decoder (chapters 07 and 08)
struct EncoderLayer {
  Residual<MultiHeadAttention> self;
  Residual<FeedForward> feed;
  EncoderLayer(Parameters& p, const std::string& name, const Config& c)
      : self(p, name + ".self_attention", c), feed(p, name + ".feed_forward", c) {}
  Matrix forward(const Matrix& x, const Mask& m) { return feed.forward(self.forward(x, m)); }
  Matrix backward(const Matrix& dy) { return self.backward(feed.backward(dy)); }
};

struct DecoderLayer {
  Residual<MultiHeadAttention> self, cross;
  Residual<FeedForward> feed;
  DecoderLayer(Parameters& p, const std::string& name, const Config& c)
      : self(p, name + ".self_attention", c), cross(p, name + ".cross_attention", c),
        feed(p, name + ".feed_forward", c) {}
  Matrix forward(const Matrix& x, const Mask& mask, const Matrix& memory, const Mask& words) {
    return feed.forward(cross.forward(self.forward(x, mask), memory, words));
  }
  Matrix backward(const Matrix& dy, Matrix& dmemory) {  // each layer adds its share: eq:8.5
    return self.backward(cross.backward(feed.backward(dy), dmemory));
  }
};

// A stack of layers. With pre-norm nothing has normalised the last sum, so a norm follows.
template <class Layer> struct Stack {
  std::vector<Layer> layers;
  std::vector<LayerNorm> last_norm;  // one, or none
  Stack(Parameters& p, const std::string& name, size_t n, const Config& c) {
    for (size_t l = 0; l < n; ++l) layers.emplace_back(p, name + '.' + std::to_string(l), c);
    if (c.pre_norm) last_norm.emplace_back(p, name + ".last_norm", c.D);
  }
  template <class... More> Matrix forward(Matrix x, const More&... more) {
    for (Layer& layer : layers) x = layer.forward(x, more...);
    return last_norm.empty() ? x : last_norm[0].forward(x);
  }
  template <class... More> Matrix backward(Matrix dx, More&... dmore) {
    if (!last_norm.empty()) dx = last_norm[0].backward(dx);
    for (size_t l = layers.size(); l-- > 0;) dx = layers[l].backward(dx, dmore...);
    return dx;
  }
};

// --------------------------------------------------------------- the model (chapter 09)
// The decoder reads "<bos> w1 w2" and has to say "w1 w2 <eos>".
struct Batch {
  Sentences source, input;
  Ids target;  // for each row of input the next word, or PAD
};

struct Transformer {
  Parameters parameters;
  Embedding source_embedding, target_embedding;
  Stack<EncoderLayer> encoder;
  Stack<DecoderLayer> decoder;
  Matrix memory, output;  // (B S, D), (B T, D): what encoder and decoder gave back
  explicit Transformer(const Config& c)
      : source_embedding(parameters, "source_embedding", c.source_words, c.D),
        target_embedding(parameters, "target_embedding", c.target_words, c.D),
        encoder(parameters, "encoder", c.encoder_layers, c),
        decoder(parameters, "decoder", c.decoder_layers, c) {}
  Transformer(const Transformer&) = delete;  // components hold references to its parameters
  Matrix encode(const Sentences& source) {
    return encoder.forward(source_embedding.forward(source), Mask{source, true});  // eq:9.1
  }
  // The logits (B T, words): how likely each word is to come next. The output layer shares its
  // table with the target embedding (3.4).
  Matrix decode(const Sentences& input, const Matrix& the_memory, const Sentences& source) {
    const Matrix x = target_embedding.forward(input);
    output = decoder.forward(x, Mask{input, false}, the_memory, Mask{source, true});  // eq:9.2
    return product(output, transpose(target_embedding.table.value));                  // eq:9.3
  }
  Matrix forward(const Batch& batch) {
    memory = encode(batch.source);
    return decode(batch.input, memory, batch.source);
  }
  void backward(const Matrix& dlogits) {
    Parameter& table = target_embedding.table;
    add_product(table.gradient, transpose(dlogits), output);  // eq:10.3
    Matrix dmemory(memory.rows, memory.columns);
    target_embedding.backward(decoder.backward(product(dlogits, table.value), dmemory));
    source_embedding.backward(encoder.backward(dmemory));  // eq:9.6
  }
};

// ----------------------------------------- 5.4  label-smoothed cross-entropy (chapter 10)
constexpr Real SMOOTHING = 0.1;  // this share of the target is spread evenly over all words
// Returns the mean over the target words in nats, and writes the gradient of the logits to dz.
Real cross_entropy(const Matrix& z, const Ids& target, Matrix& dz) {
  Real loss = 0, words = 0;
  for (const size_t word : target) words += word == PAD ? 0 : 1;
  dz = Matrix(z.rows, z.columns);
  for (size_t n = 0; n < z.rows; ++n) {
    if (target[n] == PAD) continue;  // no loss, no gradient
    const std::vector<Real> log_p = log_softmax(z[n], z.columns);
    for (size_t j = 0; j < z.columns; ++j) {
      const Real wanted = SMOOTHING / real(z.columns) + (j == target[n] ? 1 - SMOOTHING : 0);
      loss -= wanted * log_p[j] / words;                 // eq:10.1
      dz[n][j] = (std::exp(log_p[j]) - wanted) / words;  // eq:10.2
    }
  }
  return loss;
}

// --------------------------------------- 5.3  Adam and its learning rate (chapter 10)
// (3): it rises over `warmup` steps, then falls as 1 / sqrt(step). Small models need less.
Real learning_rate(size_t step, size_t D, size_t warmup) {
  const Real t = real(step);
  return std::min(std::pow(t, -0.5), t * std::pow(real(warmup), -1.5)) / std::sqrt(real(D));
}

// A step of Adam (Kingma, Ba 2015) with the paper's constants; the gradients are 0 afterwards.
void adam(Parameters& parameters, size_t step, Real rate) {
  const Real beta1 = 0.9, beta2 = 0.98, epsilon = 1e-9;
  const Real first = 1 - std::pow(beta1, real(step)), second = 1 - std::pow(beta2, real(step));
  for (Parameter& p : parameters.all) {
    for (size_t i = 0; i < p.value.values.size(); ++i) {
      Real &g = p.gradient.values[i], &m = p.m.values[i], &v = p.v.values[i];
      m = beta1 * m + (1 - beta1) * g;
      v = beta2 * v + (1 - beta2) * g * g;                                          // eq:10.5
      p.value.values[i] -= rate * (m / first) / (std::sqrt(v / second) + epsilon);  // eq:10.6
      g = 0;
    }
  }
}

// ------------------------------------------------------------------ training (chapter 10)
struct Pair {
  Ids source, target;  // both end with <eos>
};

Sentences pad(const std::vector<Ids>& rows) {
  Sentences s{rows.size(), 0, {}};
  for (const Ids& row : rows) s.length = std::max(s.length, row.size());
  for (Ids row : rows) {
    row.resize(s.length, PAD);
    s.ids.insert(s.ids.end(), row.begin(), row.end());
  }
  return s;
}

Batch make_batch(const std::vector<Pair>& pairs) {
  std::vector<Ids> source, input, target;
  for (const Pair& pair : pairs) {
    source.push_back(pair.source);
    target.push_back(pair.target);
    input.push_back({BOS});
    input.back().insert(input.back().end(), pair.target.begin(), pair.target.end() - 1);
  }
  return {pad(source), pad(input), pad(target).ids};
}

Real loss_and_gradients(Transformer& model, const Batch& batch) {
  Matrix dlogits;
  const Real loss = cross_entropy(model.forward(batch), batch.target, dlogits);
  model.backward(dlogits);
  return loss;
}

void train(Transformer& model, size_t steps, size_t warmup,
           const std::function<std::vector<Pair>()>& next_pairs) {
  Real loss = 0;
  std::printf("    step    loss  learning rate\n");
  for (size_t step = 1; step <= steps; ++step) {
    loss += 10 * loss_and_gradients(model, make_batch(next_pairs())) / real(steps);
    const Real rate = 0.3 * learning_rate(step, model.output.columns, warmup);
    adam(model.parameters, step, rate);
    if (step % (steps / 10) != 0) continue;
    std::printf("%8zu  %6.3f  %13.5f\n", step, loss, rate);
    loss = 0;
  }
}

// ---------------------------------------------------------------- 6.1  search (chapter 11)
struct Hypothesis {
  Ids words;   // with <bos>
  Real log_p;  // of all words together
  // Wu et al. 2016: without the divisor, short answers would win.
  Real score() const { return log_p / std::pow((4 + real(words.size())) / 6, 0.6); }
};

// Each hypothesis with each word that may come next. (To encode the source again is slow.)
std::vector<Hypothesis> extend(Transformer& model, const std::vector<Hypothesis>& live,
                               const Ids& source) {
  std::vector<Ids> inputs;
  for (const Hypothesis& h : live) inputs.push_back(h.words);
  const Sentences sources = pad(std::vector<Ids>(live.size(), source));
  const Matrix logits = model.decode(pad(inputs), model.encode(sources), sources);
  std::vector<Hypothesis> longer;
  for (size_t b = 0; b < live.size(); ++b) {
    const Real* z = logits[(b + 1) * live[b].words.size() - 1];  // after the last word
    const std::vector<Real> log_p = log_softmax(z, logits.columns);
    for (size_t word = EOS; word < logits.columns; ++word) {  // neither PAD nor BOS
      longer.push_back({live[b].words, live[b].log_p + log_p[word]});
      longer.back().words.push_back(word);
    }
  }
  return longer;
}

// Keeps the K likeliest beginnings; one that has ended gives up its place among the live ones.
// K = 1 is greedy search: always the likeliest next word.
Ids beam_search(Transformer& model, const Ids& source, size_t K, size_t longest = 20) {
  std::vector<Hypothesis> live{{{BOS}, 0}}, ended;
  const auto likelier = [](const auto& a, const auto& b) { return a.log_p > b.log_p; };
  while (!live.empty() && live[0].words.size() <= longest) {
    std::vector<Hypothesis> next = extend(model, live, source);
    std::stable_sort(next.begin(), next.end(), likelier);
    next.resize(std::min(next.size(), K - ended.size()));
    live.clear();
    for (const Hypothesis& h : next) (h.words.back() == EOS ? ended : live).push_back(h);
  }
  if (ended.empty()) ended = live;
  const auto worse = [](const auto& a, const auto& b) { return a.score() < b.score(); };
  const Ids best = std::max_element(ended.begin(), ended.end(), worse)->words;
  return Ids(best.begin() + 1, best.end());  // without <bos>
}

// ----------------------------------------------------------------------------- two tasks
struct Vocabulary {
  std::vector<std::string> words{"<pad>", "<bos>", "<eos>"};
  std::map<std::string, size_t> ids{{"<eos>", EOS}};
  Ids read(const std::string& sentence) {  // a full stop belongs to the word before it
    Ids result;
    std::istringstream text(sentence + " <eos>");
    for (std::string word; text >> word;) {
      const auto found = ids.emplace(word, words.size());  // a new word gets a new id
      if (found.second) words.push_back(word);
      result.push_back(found.first->second);
    }
    return result;
  }
  std::string write(const Ids& sentence) const {  // without <eos>
    std::string text;
    for (const size_t id : sentence) text += id == EOS ? "" : ' ' + words[id];
    return text;
  }
};

// Asks for the target of each pair, and shows the first answers.
void examine(Transformer& model, const std::vector<Pair>& asked, const Vocabulary& source,
             const Vocabulary& target) {
  size_t right = 0, by_beams = 0;
  for (size_t i = 0; i < asked.size(); ++i) {
    const Ids answer = beam_search(model, asked[i].source, 1);
    right += answer == asked[i].target;
    by_beams += beam_search(model, asked[i].source, 4) == asked[i].target;
    const std::string question = source.write(asked[i].source), said = target.write(answer);
    if (i < 5) std::printf("\n  %s\n->%s\n", question.c_str(), said.c_str());
  }
  std::printf("\n%zu of %zu right, %zu with 4 beams\n", right, asked.size(), by_beams);
}

// From 4 to 8 digits, and the same from right to left.
Pair draw_digits(Random& random) {
  Ids row(4 + random.below(5));
  for (size_t& id : row) id = FIRST_WORD + random.below(10);
  Pair pair{row, Ids(row.rbegin(), row.rend())};
  pair.source.push_back(EOS);
  pair.target.push_back(EOS);
  return pair;
}

void reverse_digits(bool pre_norm) {
  Vocabulary digits;
  digits.read("0 1 2 3 4 5 6 7 8 9");
  Random random;
  std::set<Ids> seen;
  Transformer model({digits.words.size(), digits.words.size(), 32, 4, 64, 1, 1, pre_norm});
  train(model, 2000, 200, [&] {
    std::vector<Pair> pairs(32);
    for (Pair& pair : pairs) seen.insert((pair = draw_digits(random)).source);
    return pairs;
  });
  std::vector<Pair> asked;
  while (asked.size() < 500) {
    const Pair pair = draw_digits(random);
    if (seen.count(pair.source) == 0) asked.push_back(pair);
  }
  examine(model, asked, digits, digits);
}

// Written for gradus: chapters/11_translator/toy/quotes.en and quotes.fr.
const char* const QUOTES = R"(A closed book opens no door.|Un livre fermé n'ouvre aucune porte.
Who asks a question learns twice.|Qui pose une question apprend deux fois.
The river does not ask the stone.|La rivière ne demande rien à la pierre.
A small lamp is better than a long complaint.|Une petite lampe vaut mieux qu'une longue plainte.
Walk slowly, and you will see the path.|Marche lentement, et tu verras le chemin.
Every mountain begins with one stone.|Chaque montagne commence par une pierre.
The teacher opens the door; you enter.|Le maître ouvre la porte ; toi, tu entres.
A kind word is never too heavy.|Un mot aimable n'est jamais trop lourd.
He who counts the clouds forgets the rain.|Celui qui compte les nuages oublie la pluie.
The tree that bends does not break.|L'arbre qui plie ne se brise pas.
Silence is the friend of the patient.|Le silence est l'ami des patients.
A good answer begins with good ears.|Une bonne réponse commence par de bonnes oreilles.
The night is long for those who do not sleep.|La nuit est longue pour ceux qui ne dorment pas.
Bread that is shared tastes better.|Le pain partagé a meilleur goût.
Do not measure the sea with a spoon.|Ne mesure pas la mer avec une cuillère.
The first step is half of the way.|Le premier pas est la moitié du chemin.
A tired horse knows the road.|Un cheval fatigué connaît la route.
What you repeat, you become.|Ce que tu répètes, tu le deviens.
The garden remembers the gardener.|Le jardin se souvient du jardinier.
An honest mistake is a good teacher.|Une erreur honnête est un bon maître.
The wind carries words, not promises.|Le vent porte les mots, pas les promesses.
Look at the sky before you plant.|Regarde le ciel avant de planter.
A friend is a house without a door.|Un ami est une maison sans porte.
Courage is fear that keeps walking.|Le courage est une peur qui continue de marcher.
The well is deep, but the rope
is in your hand.|Le puits est profond, mais la corde est dans ta main.
You cannot learn to swim in a book.|On n'apprend pas à nager dans un livre.
The sun needs no invitation.|Le soleil n'a pas besoin d'invitation.
Time is a guest that never sits down.|Le temps est un invité qui ne s'assoit jamais.
A bird does not read the map.|Un oiseau ne lit pas la carte.
Who plants in spring eats in autumn.|Qui plante au printemps mange en automne.
The shortest road passes through the heart.|La route la plus courte passe par le cœur.
An empty cup hears every sound.|Une tasse vide entend chaque son.
Great trees have quiet roots.|Les grands arbres ont des racines silencieuses.
The fire you share does not grow smaller.|Le feu que tu partages ne devient pas plus petit.
Hope is a window in every wall.|L'espoir est une fenêtre dans chaque mur.
The student of today teaches tomorrow.|L'élève d'aujourd'hui enseigne demain.
A song is lighter than a stone.|Une chanson est plus légère qu'une pierre.
The moon has no light of its own, and shines.|La lune n'a pas de lumière à elle, et elle brille.
Work without rest makes a blind hand.|Le travail sans repos rend la main aveugle.
The end of one road is the beginning of another.|La fin d'une route est le début d'une autre.)";

void translate_sentences(bool pre_norm) {
  Vocabulary english, french;
  std::vector<Pair> pairs;
  std::istringstream text(QUOTES);
  for (std::string source, target; std::getline(text, source, '|');) {
    std::getline(text, target);
    pairs.push_back({english.read(source), french.read(target)});
  }
  Transformer model({english.words.size(), french.words.size(), 64, 4, 128, 1, 1, pre_norm});
  train(model, 60, 20, [&] { return pairs; });
  examine(model, pairs, english, french);
}

// --------------------------------------------- the check of every gradient (chapter 00)
// A model and a batch with padding on both sides. Nearly all sizes differ, and every parameter
// is moved away from where it starts: a beta of 0 would hide mistakes.
struct Small {
  Config config;
  Transformer model;
  Batch batch = make_batch({{{4, 9, 3, 10, EOS}, {7, 12, EOS}},
                            {{5, EOS}, {3, 8, 4, 11, 6, 9, EOS}},
                            {{8, 6, 3, EOS}, {EOS}},
                            {{10, 7, EOS}, {5, 3, 12, 10, EOS}}});
  explicit Small(bool pre) : config{11, 13, 6, 3, 17, 2, 3, pre}, model(config) {
    for (Parameter& p : model.parameters.all)
      for (Real& x : p.value.values) x += 0.6 * (model.parameters.random.uniform() - 0.5);
  }
};

struct Comparison {
  size_t count = 0;
  Real difference = 0, largest = 0;  // of slope and gradient; of the gradients
};

// Moves each value a little up and down, and compares the slope of the loss with the gradient.
void compare(Parameter& p, Small& small, Comparison& found) {
  const Real h = 4e-6;
  Matrix unused;
  const auto loss = [&] {
    return cross_entropy(small.model.forward(small.batch), small.batch.target, unused);
  };
  for (size_t i = 0; i < p.value.values.size(); ++i) {
    Real& x = p.value.values[i];
    const Real before = x, gradient = p.gradient.values[i];
    x = before + h;
    const Real up = loss();
    x = before - h;
    const Real down = loss();
    x = before;
    found.difference = std::max(found.difference, std::abs((up - down) / (2 * h) - gradient));
    found.largest = std::max(found.largest, std::abs(gradient));
    ++found.count;
  }
}

bool check_gradients(bool pre_norm) {
  Small small(pre_norm);
  loss_and_gradients(small.model, small.batch);
  std::map<std::string, Comparison> kinds;
  for (Parameter& p : small.model.parameters.all) {
    const size_t layer = std::min(p.name.find_first_of("0123456789"), p.name.size());
    compare(p, small, kinds[std::string(p.name).erase(layer, 2)]);  // all layers together
  }
  std::printf("%s-norm: values, largest relative difference\n", pre_norm ? "pre" : "post");
  bool passed = true;
  for (const auto& kind : kinds) {
    const Real relative = kind.second.difference / kind.second.largest;
    passed = passed && relative < 1e-6;
    std::printf("  %-34s  %3zu  %.1e  %s\n", kind.first.c_str(), kind.second.count, relative,
                relative < 1e-6 ? "" : "WRONG");  // also if it is no number
  }
  return passed;
}

// ------------------------------------------------------------------------- dump and main
template <class Values> void print(const std::string& name, const Values& values) {
  std::printf("%s", name.c_str());
  for (const auto value : values) std::printf(" %.17g", static_cast<Real>(value));
  std::printf("\n");
}

// A line for each thing: its name, its values. `after.` is a parameter after 3 steps of Adam.
void dump(bool pre_norm) {
  Small small(pre_norm);
  const Config& c = small.config;
  print("words,D,H,F", Ids{c.source_words, c.target_words, c.D, c.H, c.F});
  print("layers,B", Ids{c.encoder_layers, c.decoder_layers, small.batch.source.B});
  print("source", small.batch.source.ids);
  print("input", small.batch.input.ids);
  print("target", small.batch.target);
  const Real loss = loss_and_gradients(small.model, small.batch);
  print("smoothing,loss", std::vector<Real>{SMOOTHING, loss});
  for (const Parameter& p : small.model.parameters.all) {
    print(p.name, p.value.values);
    print("d" + p.name, p.gradient.values);
  }
  for (size_t step = 1; step <= 3; ++step) {
    adam(small.model.parameters, step, learning_rate(step, c.D, 2));
    loss_and_gradients(small.model, small.batch);
  }
  for (const Parameter& p : small.model.parameters.all)
    print("after." + p.name, p.value.values);
}

int main(int count, char** words) {
  const std::string command = count > 1 ? words[1] : "reverse";
  const std::string norm = count > 2 ? words[2] : "";
  const bool pre = norm == "pre", post = norm == "post";
  const bool good = count < 3 || (count == 3 && (pre || post));
  if (good && command == "reverse") return reverse_digits(pre), 0;
  if (good && command == "sentences") return translate_sentences(pre), 0;
  if (good && command == "dump") return dump(pre), 0;
  if (good && command == "check") {
    const bool post_passes = pre || check_gradients(false);
    const bool pre_passes = post || check_gradients(true);
    return post_passes && pre_passes ? 0 : 1;
  }
  std::fprintf(stderr, "usage: transformer [reverse|sentences|check|dump] [post|pre]\n");
  return 2;
}
