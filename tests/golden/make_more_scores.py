#!/usr/bin/env python3
"""Expected values for tests/chapters/11_translator/more_scores_test.cpp, computed by sacreBLEU: its other tokenizers, TER, and the interval
of one system.

    python3 -m venv scores && scores/bin/pip install sacrebleu
    scores/bin/python tests/golden/make_more_scores.py

writes more_scores.json beside this file. `--cases 5000 --seed 2 --output more.json` draws more, and with GRADUS_MORE_SCORES=more.json in the
environment the test judges those.
"""
import argparse
import pathlib
import random
import re

import sacrebleu
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.metrics.bleu import _get_tokenizer

from make_scores import (BY_HAND, DOG, JOINS, LONG, NO_SPACES, PUNCTUATION, SCRIPTS, SEVERAL_BY_HAND, SPACES, WORDS, disturbed, figures,
                         nasty_sentence, signature, slip, without_missing, write_groups)

TOKENIZERS = ("13a", "intl", "char", "zh", "none")
# One character of each kind that a rule could treat alone: numerals of several scripts, marks, symbols, widths, the edges of tables.
SINGLE = ("A ß 狗 ガ ｶ 한 ก ① Ⅷ ½ ² ٣ ३ 〇 々 . , - – — ‐ ' ’ „ “ « » ‹ › ¿ ¡ … · 、 。 ， ！ ？ ： ； 「 」 『 』 （ ） ・ ー 〜 ＄ ￥ $ € + < = > ^ ` | ~ ° © "
          "→ ⇒ ∑ ∀ ★ ☃ ✓ ❤ 🐕 \u200d \u0308 \u3000 \u2000 \u2001 \u2a6d \u2a6e \u2e7f \u2e80 \u4db5 \u4db6 \u9fbb \u9fbc \ufa2e \uff00 \uffef \ufff0 "
          "\U00020000 \U0002a6d6 \U0001f44d").split(" ")
UNSPACED = [
    ("Chinese", ["两只狗在雪地里玩。", "一个男人在睡觉，3个女人在看2.5米高的“树”。", "他说：你好!(真的) A-B 10%"],
     ["两只小狗在雪中玩耍。", "一名男子在睡觉，3个女人看着2.5米的“树”。", "他说：你好！（真的）A-B 10 %"]),
    ("Japanese", ["犬が雪の中を走っている。", "二人の女性がテーブルで話しています。", "ﾊﾝｶｸ と 全角ＡＢＣ・テスト。"],
     ["茶色の犬が雪の中を走る。", "女性が二人、テーブルで話す。", "半角と全角ABC・テスト。"]),
    ("Thai", ["สุนัขวิ่งในหิมะ", "ผู้หญิงสองคนนั่งคุยกันที่โต๊ะ"], ["สุนัขสีน้ำตาลวิ่งในหิมะ", "ผู้หญิง 2 คนคุยกันที่โต๊ะ"]),
    ("Khmer and Burmese", ["ឆ្កែរត់លើព្រិល។", "ခွေးပြေးနေသည်။"], ["ឆ្កែពណ៌ត្នោតរត់លើព្រិល។", "ခွေးတစ်ကောင်ပြေးသည်။"]),
    ("Korean", ["갈색 개가 눈 속을 달린다.", "두 여자가 이야기한다, 웃으며."], ["개가 눈 속을 달린다.", "여자 둘이 웃으며 이야기한다."]),
    ("Spanish and French", ["¿Qué hace el perro? ¡Corre!", "«Oui», dit-il : 1,5 % – c’est «bien»…"],
     ["¿Qué hace este perro? Corre.", "« Oui », dit-il: 1.5 % — c'est « bien »..."]),
    ("marks behind numbers at the end", ["Es war 2005.", "Es kostet 3,", "Nr. 7 (8) [9]", "1.000,5 ."], ["Es war 2005 .", "Es kostet 3 ,", "Nr. 7 ( 8 )", "1.000,5"]),
    ("white space around", [" \u3000 a. \t", "\u2003.5 \x1c", "\u2028b,", " \xa0"], ["a .", ". 5", "b ,", ""]),
]
# name, translation, references
EDITS = [
    ("the same", DOG, [DOG]), ("another case", DOG.upper(), [DOG]), ("nothing", "", [DOG]), ("no reference text", DOG, [""]), ("both empty", "", [""]),
    ("one word moved", "today a brown dog jumps over the red fence .", [DOG]),
    ("two blocks exchanged", "over the red fence a brown dog jumps today .", [DOG]),
    ("reversed", " ".join(reversed(DOG.split())), [DOG]),
    ("doubled", DOG + " " + DOG, [DOG]),
    ("repeated words", "the the the cat the the", ["the cat the dog the"]),
    ("a long block moved", " ".join(f"w{i}" for i in [*range(12, 24), *range(12), *range(24, 30)]), [" ".join(f"w{i}" for i in range(30))]),
    ("too far to be moved", " ".join([f"w{i}" for i in range(60)] + ["x"]), [" ".join(["x"] + [f"w{i}" for i in range(60)])]),
    ("far from the diagonal", " ".join(f"v{i}" for i in range(3)) + " a b c", ["a b c " + " ".join(f"w{i}" for i in range(90))]),
    ("one word for many", "a", [" ".join("abcdefghij" * 9)]), ("many words for one", " ".join("abcdefghij" * 9), ["j"]),
    ("more candidates than are tried", " ".join("abab" * 15), [" ".join("abba" * 14)]),
    ("a very long line", LONG, [LONG.replace("brown dog", "dog brown").replace("wet lawn", "lawn")]),
    ("several references", "the cat sat on a mat today", ["a cat sat on the mat", "today the cat sat on a mat", "the cat"]),
    ("several references of equal distance", "a b", ["a c d", "a b c", "x b"]),
    ("marks are not cut off", "Ein Hund, läuft.", ["Ein Hund läuft ."]),
    ("white space", "a\u00a0b\u3000c \t d", ["a b c d"]),
]


def tokens(line):
    return {name: _get_tokenizer(name)()(line.rstrip()) for name in TOKENIZERS}


def cut(name, lines):
    """Words as the metric takes them: separated by white space."""
    return {"name": name, "lines": lines, "tokens": [{k: " ".join(v.split()) for k, v in tokens(line).items()} for line in lines]}


def single_lines():
    """Each character alone, between letters, between digits, and at both ends of a line."""
    for c in SINGLE:
        yield f"{c} a{c}b 1{c}2 a{c}2 1{c}b {c}{c} a{c}"
        yield f"{c}1{c}"


def soup(draw):
    """Characters of all kinds without an order."""
    return "".join(draw.choice([draw.choice(SINGLE), draw.choice(WORDS), draw.choice(JOINS), draw.choice(PUNCTUATION), draw.choice("12aB")])
                   for _ in range(draw.randint(0, 25)))


def token_cases(count, seed):
    yield cut("single characters", list(single_lines()))
    yield cut("white space", [f"a{c}b{c}" for c in SPACES + NO_SPACES])
    for name, hypotheses, references, *_ in BY_HAND:
        yield cut(name, [line for line in hypotheses + references if len(line) < 500])
    for name, lines in SCRIPTS:
        yield cut(name, lines)
    for name, hypotheses, references in UNSPACED:
        yield cut(name, hypotheses + references)
    draw = random.Random(seed)
    yield cut("random", [soup(draw) for _ in range(count)])


def bleu_by(tokenizer, lowercase, hypotheses, references):
    metric = BLEU(tokenize=tokenizer, lowercase=lowercase)
    score = metric.corpus_score(hypotheses, [references])
    return {"tokenize": tokenizer, "lowercase": lowercase, "bleu": str(score), "signature": str(metric.get_signature()).rsplit("|", 1)[0],
            "sentences": [f"{sacrebleu.sentence_bleu(h, [r], tokenize=tokenizer, lowercase=lowercase).score:.2f}"
                          for h, r in zip(hypotheses, references)]}


def bleu_cases(count, seed):
    draw = random.Random(seed + 1)
    corpora = list(UNSPACED)
    for number in range(count // 10):
        references = [soup(draw) + nasty_sentence(draw) for _ in range(3)]
        corpora.append((f"random {number}", [disturbed(draw, r) for r in references], references))
    for name, hypotheses, references in corpora:
        by = [bleu_by(tokenizer, lowercase, hypotheses, references) for tokenizer in TOKENIZERS for lowercase in (False, True)]
        yield {"name": name, "hypotheses": hypotheses, "references": references, "by": by}


def shuffled(draw, sentence):
    """Blocks of words moved, and some words changed."""
    words = disturbed(draw, sentence).split(" ")
    for _ in range(draw.randint(0, 3)):
        a, b = sorted(draw.sample(range(len(words) + 1), 2)) if len(words) > 1 else (0, 0)
        block, rest = words[a:b], words[:a] + words[b:]
        at = draw.randint(0, len(rest))
        words = rest[:at] + block + rest[at:]
    return " ".join(words)


def ter_case(name, hypotheses, references):
    """`references`: lists of lines, one for each reference."""
    metric, theirs = TER(), without_missing(references)
    score = metric.corpus_score(hypotheses, theirs)
    sentences = [metric.sentence_score(h, [r for r in rs if r is not None]) for h, rs in zip(hypotheses, zip(*theirs))]
    return {"name": name, "hypotheses": hypotheses, "references": references, "score": score.score,
            "edits": [s.num_edits for s in sentences], "lengths": [s.ref_length for s in sentences]}


def ter_cases(count, seed):
    for name, hypothesis, references in EDITS:
        yield ter_case(name, [hypothesis], [[one] for one in references])
    for name, hypotheses, references in SEVERAL_BY_HAND:
        yield ter_case(name, hypotheses, references)
    draw = random.Random(seed + 2)
    for number in range(count):
        few = [draw.choice("abcdefgh"[:draw.choice([2, 4, 8])]) for _ in range(draw.randint(1, 40))]
        texts = [nasty_sentence(draw), " ".join(few), DOG, nasty_sentence(draw) + " " + DOG + " " + nasty_sentence(draw)]
        references = [[disturbed(draw, text) for text in texts] for _ in range(draw.choice([1, 1, 2, 3]))]
        yield ter_case(f"random {number}", [shuffled(draw, text) for text in texts], references)


def interval(metric, hypotheses, references):
    """What sacreBLEU prints with --confidence, without the version."""
    line = metric.corpus_score(hypotheses, references, n_bootstrap=1000).format(signature=str(metric.get_signature()))
    return re.sub(r"version:\S+", "version:V", line)


def interval_cases(seed):
    draw = random.Random(seed + 3)
    for name, size, count in [("one reference", 31, 1), ("three references", 13, 3), ("two sentences", 2, 2), ("one sentence", 1, 1)]:
        texts = [nasty_sentence(draw) + " " + DOG for _ in range(size)]
        references = [[slip(draw, text, 0.1) for text in texts] for _ in range(count)]
        if count == 3:
            references[1][3] = references[2][4] = references[2][3] = ""  # missing
        hypotheses = [slip(draw, shuffled(draw, text), 0.2) for text in texts]
        theirs = without_missing(references)
        lines = [interval(m, hypotheses, theirs) for m in (BLEU(), CHRF(), CHRF(word_order=2), TER())]
        yield {"name": name, "hypotheses": hypotheses, "references": references, "lines": lines}


def paired_ter(seed):
    draw = random.Random(seed + 4)
    texts = [nasty_sentence(draw) + " " + DOG for _ in range(23)]
    references = [[slip(draw, text, 0.1) for text in texts] for _ in range(3)]
    systems = [[slip(draw, shuffled(draw, text), share) for text in texts] for share in (0.2, 0.25, 0.1)]
    from sacrebleu.significance import PairedTest
    test = PairedTest(list(enumerate(systems)), {"TER": TER()}, references, test_type="bs")
    signatures, results = test()
    yield {"systems": systems, "references": references, "signature": str(signatures["TER"]).rsplit("|", 1)[0],
           "expected": [figures(one) for one in results["TER"]]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=120)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--output", default=pathlib.Path(__file__).parent / "more_scores.json")
    arguments = parser.parse_args()
    count, seed = arguments.cases, arguments.seed
    signatures = [{"references": n, "ter": signature(TER(), n)} for n in (1, 4)]
    groups = {"signatures": signatures, "tokens": token_cases(count, seed), "bleu": bleu_cases(count, seed), "ter": ter_cases(count, seed),
              "intervals": interval_cases(seed), "paired_ter": paired_ter(seed)}
    write_groups(arguments.output, groups)


if __name__ == "__main__":
    main()
