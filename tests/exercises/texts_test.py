#!/usr/bin/env python3
"""Tests the texts of the exercises: each mistake has its own sentence, each formula of a hint is the code that it stands for, and each exercise
has mistakes that its grader must reject (prove.py compiles and runs them)."""
import re
import sys
import tomllib
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "exercises"))

from task import BODY, all_tasks  # noqa: E402

# Words of each mistake's sentence that no other sentence of the exercise has. So a sentence cannot stand under another name.
SAYS = {
    "added-1e9": "1e9 is subtracted", "batch-norm": "over the batch", "bias-forgotten": "bias is not added",
    "past-not-selected": "select does nothing", "causal-cross": "cross-attention is causal", "causal-from-the-start": "aligned at the start",
    "causal-off-by-one": "one key too many", "clamped-softmax": "cut at 25", "cross-is-self": "memory is never read",
    "cross-module-unused": "parameters of self-attention", "cross-without-residual": "no residual connection", "decay-swapped": "swapped",
    "detached-variance": "as a constant", "doubled-index": "doubles it again", "drop-by-key-row": "by the key's row",
    "dropout-sites-shared": "masks of the first layer", "epsilon-inside-root": "under the root", "epsilon-outside-root": "inside the root",
    "everything-decays": "decay too", "filled-with-1e9": "becomes -1e9", "finished-beam-writes": "into row 0",
    "forgetful-past": "clears the past", "forgotten-accumulate": "dw is overwritten", "fork-forgotten": "two gradients is lost",
    "frozen-gain": "gamma and beta get no", "future-seen": "must predict", "inner-mask-forgotten": "backward does not",
    "lane-returns-early": "lanes of a warp return", "loss-over-positions": "over the positions", "loss-summed": "summed over the tokens",
    "mask-inverted": "read as hidden", "mask-of-gradient": "sign of the gradient", "memory-gradient-overwritten": "dmemory is overwritten",
    "minus-infinity": "minus infinity", "neighbours-past": "neighbour's row", "no-activation": "no activation",
    "no-bias-correction": "1 - beta^t", "no-epsilon": "no epsilon", "no-maximum": "does not subtract the maximum",
    "no-maximum-subtracted": "maximum is not subtracted", "no-mean-term": "mean of g is missing", "no-residual": "stream x is not added",
    "no-scale": "root of Dk", "norm-gradient-overwritten": "dgamma and dbeta are overwritten", "odd-width-accepted": "odd width",
    "one-gain": "first gain", "one-padding-for-all": "for every table", "one-padding-id": "both languages", "other-base": "1000 in place of 10000",
    "padding-counted": "without a target", "padding-is-a-word": "taken for a word", "padding-learns": "padding row",
    "padding-on-queries": "mask is on the rows", "rate-not-handed-on": "rate of the feed-forward", "repeated-ids-overwritten": "only its last",
    "residual-other-mask": "another dropout mask", "row-without-block": "first block are right", "sample-deviation": "D - 1, and epsilon",
    "sample-variance": "D - 1 in place of D", "scale-forgotten": "not multiplied", "scale-squared": "square of",
    "scaled-by-model-width": "model's width", "severed-gradient": "values get no gradient", "slope-at-output": "taken at the output", "slope-of-sigma": "that of sigma alone",
    "smoothing-forgotten": "smoothing is not used", "smoothing-over-others": "only to the wrong words",
    "softmax-over-positions": "over the positions", "softmax-over-queries": "runs (over|along) the queries", "start-hidden": "first word",
    "stream-after-norm": "not to the stream", "stream-dropped": "the sum x + f", "stream-gradient-lost": "holds at entry",
    "table-gradient-overwritten": "gradient of the table", "tanh-gelu": "by tanh", "thread-returns-early": "before __syncthreads()",
    "tiny-epsilon": "1e-12", "transposed-weight-gradient": "dy^T x", "uniform-when-nothing-visible": "without a visible key",
    "gate-swapped": "share of the candidate", "state-not-reset": "has left", "one-step-late": "before the word; it must",
    "relu-carried": "relu is applied", "through-time-forgotten": "to the words before it", "warp-function-left-out": "goes on with its own part", "warp-sum-left-out": "goes on with its own part",
}

# Formulas of hints that the code says in other words, by exercise: the formula, and its code.
OTHER_WORDS = {
    "lookup": {"y.row(n)[d] = scale * word[d]": "Real* const out = y.row(n) .. out[d] = scale * word[d]"},
    "attention": {"dv = product(transposed<Real>(m * p), dy)": "store<Real>(key_part(dx.v, b), product<Real>(transposed<Real>(m * p), dy))"},
    "attention_kernel": {
        "weights_part(table, at, work.heads).row(t)[s] = is_visible ? scale * dot(row t of a, row s of b, work.Dk) : Real(0)":
        "weights_part(table, at, work.heads).row(t)[s] = is_visible ? scale * dot(head_part(a, at.query, at).row(t), "
        "head_part(b, at.key, at).row(s), work.Dk) : Real(0)"},
    "cross_attention": {
        "attention_forward(dev, cache.heads, cache.attention, the input, options)":
        "attention_forward(dev, cache.heads, cache.attention, cross_attention_input(cache, x.segments, memory.segments), options)"},
    "layer_norm": {"y = row(p.gamma) * (x - mean) * rstd + row(p.beta)":
                   "xhat = (x - mean) * rstd; store<Real>(y, row(p.gamma) * xhat + row(p.beta))"},
    "add_norm": {
        "sum[d] = x.row(i)[d] + m[d] * f.row(i)[d]":
        "*const from_x = x.row(i), *const from_f = f.row(i) .. sum[d] = from_x[d] + m[d] * from_f[d]",
        "cache.mean[i] = moments.mean, cache.rstd[i] = moments.rstd": "cache.mean[i] = moments.mean; cache.rstd[i] = moments.rstd",
        "joined = to_x[d] + rstd * (gamma[d] * upstream[d] - means.g - xhat * means.g_xhat)":
        "joined = to_x[d] + moments.rstd * (gamma[d] * upstream[d] - means.g - xhat * means.g_xhat)"},
    "layer_norm_kernel": {  # the sums of forward are in the header that the exercise leaves out
        "sum += x.row(n)[d]": "warp_moments(x.row(n), D, epsilon, lane)",
        "squares += the square of x.row(n)[d] - m   then the variance is gpu::warp_sum(squares) / D": "warp_moments(x.row(n), D, epsilon, lane)",
        "y.row(n)[d] = gamma[d] * (x.row(n)[d] - m) * r + beta[d]": "warp_normalise(y.row(n), x.row(n), m, gamma.data, beta.data, D, lane)",
        "dx.row(n)[d] = rstd[n] * (gamma[d] * dy.row(n)[d] - mean_g - xhat * mean_g_xhat)":
        "m{mean[n], rstd[n]} .. dx.row(n)[d] = m.rstd * (gamma[d] * dy.row(n)[d] - means.g - xhat * means.g_xhat)"},
    "encoder_layer": {
        "self_attention_forward(dev, f, c.self_attention, u, p.self_attention, its options)":
        "self_attention_forward(dev, f, c.self_attention, u, p.self_attention, attention_options(",
        "add_norm_backward(dev, dx, df, dp of the norm, dn, r.s, r.cache, p of the norm, residual_dropout(...))":
        "add_norm_backward(dev, dx, df, dp.feed_forward_norm, dn, r2.s, r2.cache, p.feed_forward_norm, residual_dropout(",
        "the sublayer's backward writes dn from df": "feed_forward_backward(dev, dn, dp.feed_forward, df,"},
    "log_probs_top_k": {"log_p = shifted - xt::log(row_sum<Real>(xt::exp(shifted)))":
                        "log_sum = xt::log(row_sum<Real>(xt::exp(shifted))); const Array<Real> log_p = shifted - log_sum"},
    "optimiser": {
        "m = beta1 m + (1 - beta1) g,   v = beta2 v + (1 - beta2) g g":
        "m = o.beta1 * row(m_) + (1 - o.beta1) * g; const Array<Real> v = o.beta2 * row(v_) + (1 - o.beta2) * g * g",
        "m_hat = m / (1 - beta1^t),     v_hat = v / (1 - beta2^t)":
        "m_hat = m / (1 - std::pow(o.beta1, t)), v_hat = v / (1 - std::pow(o.beta2, t))",
        "step = m_hat / (sqrt(v_hat) + epsilon), plus decay * w if decoupled":
        "step = m_hat / (xt::sqrt(v_hat) + o.epsilon); if (o.update.decay == Decay::decoupled) step = step + decay * w",
        "m = momentum m + g": "m = o.momentum * row(m_) + g",
        "step = m, plus decay * w if decoupled": "step = m; if (o.update.decay == Decay::decoupled) step = step + decay * w",
        "w = w - rate * step": "store<Real>(w_, w - rate * step)"},
    "output_loss": {
        "dtable += product(transposed(dz), array(x)),   dbias += sum_rows<Real>(dz)":
        "add_to<Real>(dp.table, product(transposed(dz), array(x))); if (dp.bias) add_to<Real>(dp.bias, sum_rows<Real>(dz))"},
}

# Formulas within the sentences of hints, and the code that they stand for, if the file does not have them word by word.
PROSE = {
    "i + 1": "2 * k + 1", "1 / sqrt(Dk)": "1 / std::sqrt(static_cast<double>(b.Dk))", "first + 3": "first += 4", "s - first": "i = 0, s = first",
    "S - T + t": "j + T <= S + t", "lane + 32": "+= 32", "exp(score - largest)": "exp(scores[j] - largest)", "(dp - sum)": "(dp.row(row)[j] - sum)",
    "x + m": "from_x[d] + m[d] * from_f[d]", "(sum[d] - mean)": "(sum[d] - moments.mean) * moments.rstd",
    "1 / sqrt(variance + epsilon)": "warp_moments(x.row(n), D, epsilon, lane)",
    "(x.row(n)[d] - mean[n]) * rstd[n]": "(x.row(n)[d] - m.mean) * m.rstd", "Phi(x) + x": "normal_below<Real>(x) + x * density",
    "1 - beta^t": "1 - std::pow(o.beta1, t)", "1 / tokens": "dev.state.inverse_tokens",
}


def flat(code):
    """The words and signs of the code, with one space between them."""
    return " ".join(re.findall(r"\w+|[^\w\s]", re.sub(r"//[^\n]*", "", code)))


def bodies(task):
    return flat("".join(body for _, body in BODY.findall(task.source.read_text(encoding="utf-8"))))


def formulas(task):
    """The indented lines of the hints; a line that is indented further belongs to the one before it. Words behind a wide gap are left out."""
    for blank in task.blanks:
        for hint in blank["hints"]:
            for line in re.sub(r"\n {6,}", " ", hint).split("\n"):
                if line.startswith("  "):
                    line = re.sub(r"^(relu|gelu|swish|with):? +", "", line.strip())
                    yield re.split(r" {6,}|; {2,}", line)[0].rstrip(",;")


def formulas_in_sentences(task):
    part = r"[\w.:{}()\[\]<>^,']+"
    for blank in task.blanks:
        for hint in [*blank["hints"], blank["approach"]]:
            prose = " ".join(line for line in re.sub(r"\n {6,}", " ", hint).split("\n") if not line.startswith("  "))
            for found in re.finditer(rf"{part}(?: (?:[-+*/%]|==|>=|<|&&) {part})+", prose):
                yield found[0].strip(".,:;")


class Mistakes(unittest.TestCase):
    def test_each_sentence_stands_under_its_name(self):
        for task in all_tasks():
            for name in task.mistakes:
                words = SAYS[name] if "(" in SAYS[name] and "|" in SAYS[name] else re.escape(SAYS[name])
                said_by = [other for other, text in task.mistakes.items() if re.search(words, text)]
                self.assertEqual(said_by, [name], f"{task.name}: {SAYS[name]!r}")

    def test_no_words_are_left_over(self):
        self.assertEqual(set(SAYS), {name for task in all_tasks() for name in task.mistakes})

    def test_each_exercise_has_wrong_solutions_that_must_be_rejected(self):
        for task in all_tasks():
            proof = tomllib.loads((ROOT / "tests/exercises" / task.chapter / f"{task.name}.toml").read_text(encoding="utf-8"))
            self.assertGreaterEqual(len(proof["mistake"]), 1, task.name)
            for name, changes in proof["mistake"].items():
                self.assertTrue(changes and all(flat(old) != flat(new) for old, new in changes), f"{task.name}: {name}")


class Hints(unittest.TestCase):
    def test_each_formula_is_in_the_code_that_it_explains(self):
        count = 0
        for task in all_tasks():
            body, own = bodies(task), OTHER_WORDS.get(task.name, {})
            for formula in formulas(task):
                count += 1
                where = f"{task.name}: {formula}"
                if formula in own:
                    pattern = ".*".join(re.escape(flat(part)) for part in own[formula].split(" .. "))
                    self.assertRegex(body, pattern, where)
                    continue
                self.is_said(formula, body, where)
        self.assertGreater(count, 60)

    def is_said(self, formula, body, where):
        """The right side stands in the code, and before it, in the same statement, the name on the left."""
        found = re.match(r"([^=]+?) [+/]?= (.*)$", formula)
        right = flat((found[2] if found else formula).replace("...", "").rstrip(",) "))
        self.assertIn(right, body, where)
        if not found:
            return
        statements = [part for part in re.split(r"[;{}]", body) if right in part]
        name = re.findall(r"\w+", re.split(r"[.\[]", found[1])[0])[-1]
        names = {name, name.removeprefix("d")}
        self.assertTrue(any(re.search(rf"\b{re.escape(n)}\b", part[:part.index(right)]) for part in statements for n in names), where)

    def test_formulas_within_sentences_are_in_the_file(self):
        unused = set(PROSE)
        for task in all_tasks():
            code = flat(task.source.read_text(encoding="utf-8"))
            for formula in formulas_in_sentences(task):
                unused.discard(formula)
                self.assertIn(flat(PROSE.get(formula, formula)), code, f"{task.name}: {formula}")
        self.assertEqual(unused, set())

    def test_no_other_words_are_left_over(self):
        for name, own in OTHER_WORDS.items():
            task = next(task for task in all_tasks() if task.name == name)
            self.assertLessEqual(set(own), set(formulas(task)), name)


if __name__ == "__main__":
    unittest.main()
