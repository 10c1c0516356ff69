#!/usr/bin/env python3
"""Expected scores for tests/chapters/11_translator/score_test.cpp, computed by sacreBLEU, the public reference.

    python3 -m venv scores && scores/bin/pip install sacrebleu
    scores/bin/python tests/golden/make_scores.py --multi30k FOLDER

writes scores.json beside this file. With `--cases 5000 --seed 2 --output more.json` it draws more random cases, and
with GRADUS_SCORES=more.json in the environment the test judges those. FOLDER holds Multi30k; the file keeps numbers
computed from it, no text.
"""
import argparse
import gzip
import itertools
import json
import logging
import pathlib
import random
import re

import sacrebleu
from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.significance import PairedTest
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

logging.getLogger("sacrebleu").setLevel(logging.ERROR)  # it warns of text that looks tokenised

DOG = "A brown dog jumps over the red fence today ."
LONG = "A brown dog jumps over the red fence, runs across the wet lawn and barks at two young boys. " * 40
SPACES = "\t\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2003\u200a\u2028\u2029\u202f\u205f\u3000"
NO_SPACES = "\x00\x1b\x7f\xad\u180e\u200b\u200d\u2060\ufeff"
PUNCTUATION = [chr(c) for c in range(33, 127) if not chr(c).isalnum()]

# name, hypotheses, references
BY_HAND = [
    ("identical", ["Zwei Hunde spielen im Schnee.", "Ein Mann schläft."],
     ["Zwei Hunde spielen im Schnee.", "Ein Mann schläft."]),
    ("shifted by one word", ["Well " + DOG], [DOG]),
    ("first three words alone", ["A brown dog"], [DOG]),
    ("four words of many", ["A brown dog jumps"], [DOG]),
    ("reversed words", [" ".join(reversed(DOG.split()))], [DOG]),
    ("one word too long", [DOG + " Yes"], [DOG]),
    ("one word too short", [DOG[:-2]], [DOG]),
    ("twice", [DOG + " " + DOG], [DOG]),
    ("the the the", ["the the the the the the the"], ["The cat is on the mat ."]),
    ("brevity once for the corpus", ["a b c d e", "a b c d e f g h i j"], ["a b c d e f g h i j", "a b c d e"]),
    ("all empty", ["", ""], ["", ""]),
    ("empty hypotheses", ["", ""], ["Ein Hund läuft.", "Ein Mann schläft."]),
    ("empty references", ["Ein Hund läuft.", "Ein Mann schläft."], ["", ""]),
    ("one empty hypothesis", ["Ein Hund läuft über die Wiese.", ""],
     ["Ein Hund läuft über die Wiese.", "Ein Mann schläft."]),
    ("one empty reference", ["Ein Hund läuft über die Wiese.", "Oh."], ["Ein Hund läuft über die Wiese.", ""]),
    ("one word, right", ["Hund"], ["Hund"]),
    ("one word, wrong", ["Hund"], ["Katze"]),
    ("two words", ["ein Hund"], ["ein Hund"]),
    ("three words and a fourth", ["ein Hund läuft"], ["ein Hund läuft schnell"]),
    ("no 4-gram right", ["ein Hund läuft da drüben schnell weg"], ["ein Hund läuft hier drüben schnell fort"]),
    ("only single words right", ["a c b d e", "f"], ["b a d c f", "f"]),
    ("case", ["ein hund Läuft über Die Wiese"], ["Ein Hund läuft über die Wiese"]),
    ("entities", ["&quot;Tom &amp; Jerry&quot; &lt;b&gt; &amp;lt; &amp;amp; &apos; & ; &quot"],
     ['"Tom & Jerry" <b> < & \' & ; "']),
    ("skipped", ["a <skipped> b<skipped>c <skip<skipped>ped>"], ["a b c d <skipped>"]),
    ("numbers", ["1,000.50 und 3.14, 2,5 .5 5. 1. 2 ,3 a.5 5.a 1,,2 1..2"],
     ["1,000.50 und 3.14 , 2,5 . 5 5 . 1 . 2 , 3 a . 5"]),
    ("Arabic-Indic digits are no digits", ["\u0663.\u0664 \u0663,\u0664 \u0663-\u0664 \uff11.\uff12"],
     ["\u0663 . \u0664 \u0663 , \u0664 \u0663-\u0664"]),
    ("hyphens", ["T-Shirt 3-jährig 1990-95 a--b --- 5- -5 x-5-y - 1--2"],
     ["T-Shirt 3 - jährig 1990 - 95 a--b --- 5 - -5"]),
    ("points and commas", ["a.b a,b a.,b a...b ... ,,, . , .a a. a.. .. a .,., b z.B. u.s.w."],
     ["a . b a , b a . , b a . . . b"]),
    ("quotation marks", ["„Hallo“ “quoted” «so» ‚x‘ it's 'tis don''t \"q\" `b` l’air –dash—"],
     ["\" Hallo \" it 's ' q ' l’air"]),
    ("punctuation only", ["!?.,;:", "...", "-- -- --"], ["!?.,:;", "....", "-- --"]),
    ("every ASCII punctuation mark",
     ["a" + "a".join(PUNCTUATION) + "a", "1" + "1".join(PUNCTUATION) + "1", "".join(PUNCTUATION)], ["a b", "1 2", "!"]),
    ("kinds of white space", [s + "b" for s in ["a" + c for c in SPACES]], ["a b"] * len(SPACES)),
    ("what is no white space", [s + "b" for s in ["a" + c for c in NO_SPACES]], ["a b"] * len(NO_SPACES)),
    ("tabs", ["\tEin\tHund \t läuft.\t"], ["Ein Hund läuft."]),
    ("no-break and ideographic spaces", ["Ein\u00a0Hund\u3000läuft\u202f. \u2028Er"], ["Ein Hund läuft . Er"]),
    ("emoji", ["Ein Hund 🐕 läuft 👩‍👩‍👧 🇩🇪👍🏽!"], ["Ein Hund 🐕 läuft 👨‍👩‍👧 🇩🇰👍🏿 !"]),
    ("combining marks", ["u\u0308ber die Bru\u0308cke, cafe\u0301"], ["über die Brücke, café"]),
    ("Chinese", ["两只狗在雪地里玩。", "一个男人在睡觉，"], ["两只小狗在雪中玩耍。", "一名男子在睡觉 ，"]),
    ("Arabic and Devanagari", ["رجل ينام، هنا.", "एक आदमी सो रहा है।"], ["رجل نائم ، هنا .", "एक आदमी सोता है ।"]),
    ("very long line", [LONG], [LONG.replace("brown dog", "brown cat") + LONG[:200]]),
    ("very long word", ["x" * 3000 + "y"], ["x" * 3001]),
    ("shorter than six characters", ["abc", "ab", "a"], ["abd", "ab", "ac"]),
    ("reference too short for 6-grams", ["abcdefgh", "abcdefgh"], ["abc", "abcdefgx"]),
]
# The following lines are not by native speakers; they test the letters. Each is compared with itself in lower case and in capitals.
SCRIPTS = [
    ("Latin, Romanian", ["Țara și școala sunt în oraș.", "Un băiețel râde lângă mașina bunicului său, însă mâța fuge."]),
    ("Latin, Vietnamese", ["Một con chó đang chạy trên bãi cỏ xanh.", "Hai người phụ nữ ngồi ở cạnh bờ hồ, uống cà phê sữa đá."]),
    ("Latin, Turkish", ["İstanbul'da ılık bir ışık, iki kız ırmağa iniyor.", "Isparta ile Iğdır arasında İzmir'den gelen bir çiğ köfteci."]),
    ("Latin, Croatian, with digraphs of one letter", ["ǆep ǉubav ǌuška, Ǆep ǅep", "ﬁsh ﬂag ŉ ǰ ẖ ẞ ß"]),
    ("Greek", ["Ο δρόμος είναι στενός, όμως ο Όμηρος τρέχει.", "Όσοι σοφοί μένουν σ' έναν βράχο (ΠΡΟΣ ΌΛΟΥΣ) λένε: ως εδώ, φίλος.",
               "ΑΣ. Α.Σ. ΣΑΣ ΟΔΌΣ· ᾼ ᾳ ῌ ΐ ΰ ὈΔΥΣΣΕΎΣ"]),
    ("Cyrillic", ["Қызыл көйлек киген қыз әнге билейді.", "Ђак и љубав, џеп и њива; Їжак ґанок; Ӂ ӝ Ө Ү Һ Ԥ Ꙋ ꙋ ꚍ"]),
    ("Armenian", ["Երեք տղա խաղում են գետի մոտ։", "Մեծ շունը վազում է ձյան մեջ, և աղջիկը ծիծաղում է։"]),
    ("Georgian", ["ᲝᲠᲘ ძაღლი თამაშობს თოვლში.", "კაცი წითელ ქუდში მთაზე ადის, ხოლო ქალი უყურებს."]),
    ("Cherokee", ["ᎣᏏᏲ ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ", "ꭳꮟᏺ ꮳꮃꭹ ꭶꮼꮒꭿꮝꮧ, ᏸᏹᏺᏻᏼ"]),
    ("Deseret", ["𐐔𐐯𐑅𐐨𐑉𐐯𐐻 𐐮𐑆 𐐪 𐐽𐐲𐑋𐐹.", "𐐢𐐮𐐻𐑊 𐐔𐐫𐑀, 𐐓𐐭 𐐆𐑌 𐐄 𐐡𐐬"]),
    ("Adlam", ["𞤀𞤣𞤤𞤢𞤥 𞤆𞤵𞤤𞤢𞤪 𞤫 𞤅𞤢𞤸.", "𞤐𞤣𞤢𞤥 𞤔𞤵𞤤𞤣𞥆𞤢𞤥, 𞤃𞤢𞥄𞤪𞤵"]),
    ("Hebrew and Arabic", ["כלב חום רץ בשלג, ואישה צוחקת.", "كلب بني يركض في الثلج، وامرأة تضحك."]),
    ("Devanagari", ["एक भूरा कुत्ता बर्फ़ में दौड़ रहा है।", "दो औरतें मेज़ पर बैठकर बातें करती हैं, हँसती हैं।"]),
    ("Han and Kana", ["一只 棕色 的 狗 在 雪地里 奔跑。", "茶色の 犬が 雪の中を 走り、女の人が ワラッテ いる。"]),
    ("Hangul", ["갈색 개가 눈 속을 달린다.", "두 여자가 식탁에 앉아 이야기한다, 웃으며."]),
    ("other letters with cases", ["ⅷ ⓐ ⓩ Ⅷ Ⓩ", "Ⲁⲃⲅ ⰀⰁ ⰰⰱ ᲘᲜ Ꞑꞑ ꟲ ＡＢＣ ａｂｃ 𐓀𐓨 𐲀𐳀 𑢠𑣀 𖹀𖹠"]),
]
LOWER = [
    ("lower case", ["EIN HUND läuft ÜBER die Straße &AMP; &amp; &QUOT;"],
     ["ein hund LÄUFT über DIE STRASSE & & \""]),
    ("lower case beyond Latin", ["ΕΝΑ ΠΑΙΔΊ ΤΡΈΧΕΙ ЁЛКА И ДОМ ŁÓDŹ ČŽ ÉCOLE GROẞ"],
     ["ένα παιδί τρέχει ёлка и дом łódź čž école groß"]),
]

WORDS = ("Ein ein EIN Mann mann Hund läuft über die Straße mit der dem rot rotes 's T-Shirt U-Bahn zwei 3 12 1,000 3.5 "
         "2.5.1 1990-95 5- -5 a b c don't z.B. u.a. Dr. GmbH & Co &amp; &quot; &lt; &gt; &amp;lt; &#39; &apos; <skipped> "
         "< > ( ) [ ] { } \" ' ` „ “ ” ‚ ‘ ’ – — … ... .. . , ; : ! ? ¿ / \\ | ~ @ # $ % ^ * _ + = - -- "
         "über u\u0308ber café cafe\u0301 ЁЖ ёж Ωμέγα ωμέγα 狗 两只狗 。 ， 犬 はい 한국 العربية ٣.٤ ½ ² 🐕 👩‍👧 🇩🇪 \u200b \ufeff x² 10% $5 "
         "5$ C++ http://a.b/c?d=e f@g.de").split()
JOINS = [" "] * 12 + [""] * 3 + ["  ", "\t", "\u00a0", "\u3000", "\u2009", ".", ",", "-", "\u2028"]


def nasty_sentence(draw):
    return "".join(draw.choice(WORDS) + draw.choice(JOINS) for _ in range(draw.choice([0, 2, 4, 8, 12, 16])))


def disturbed(draw, sentence):
    """The sentence with some characters or words dropped, doubled or replaced, so that most n-grams still match."""
    words, kind, kept = sentence.split(" "), draw.random(), []
    if kind < 0.1:
        return nasty_sentence(draw)
    if kind < 0.2:
        return sentence.swapcase() if "&" not in sentence else sentence
    for word in words:
        fate = draw.random()
        kept += [] if fate < 0.08 else [word, word] if fate < 0.14 else [draw.choice(WORDS)] if fate < 0.24 else [word]
    return " ".join(kept)


def random_cases(count, seed):
    draw = random.Random(seed)
    for number in range(count):
        references = [nasty_sentence(draw) for _ in range(draw.choice([1, 2, 3]))]
        options = {5: {"tokenize": "none"}, 7: {"lowercase": True}}.get(number % 10, {})
        yield case(f"random {number}", [disturbed(draw, r) for r in references], references, **options)


def metrics(tokenize="13a", lowercase=False, effective=False):
    return {"bleu": BLEU(tokenize=tokenize, lowercase=lowercase, effective_order=effective), "chrf": CHRF(lowercase=lowercase),
            "chrf++": CHRF(lowercase=lowercase, word_order=2)}


def expected(hypotheses, references, tokenize="13a", lowercase=False):
    """`references`: a list of sentences for each reference."""
    scores = {name: str(metric.corpus_score(hypotheses, references)) for name, metric in metrics(tokenize, lowercase).items()}
    return {"tokenize": tokenize, "lowercase": lowercase, **scores}


def script_cases():
    """Lower case and capitals, compared with the original text; then each sentence compared with the other's beginning and its own end."""
    for name, sentences in SCRIPTS:
        capitals = [sentence.upper() for sentence in sentences]
        crossed = [other[:len(other) // 2] + own.upper()[len(own) // 3:] for own, other in zip(sentences, sentences[1:] + sentences[:1])]
        for lowercase in (False, True):
            kind = "in lower case" if lowercase else "with case"
            yield case(f"{name}, small, {kind}", [sentence.lower() for sentence in sentences], sentences, lowercase=lowercase)
            yield case(f"{name}, capitals, {kind}", capitals, sentences, lowercase=lowercase)
            yield case(f"{name}, crossed, {kind}", crossed, sentences, lowercase=lowercase)


def case(name, hypotheses, references, **options):
    """One case; the score of each sentence and the tokens of all of them come with it."""
    one = {"name": name, "hypotheses": hypotheses, "references": references}
    one.update(expected(hypotheses, [references], **options))
    scores = [sacrebleu.sentence_bleu(h, [r], **options).score for h, r in zip(hypotheses, references)]
    one["sentences"] = [f"{score:.2f}" for score in scores]
    if not options:
        one["tokens"] = [Tokenizer13a()(s) for s in hypotheses]
    return one


SEVERAL_BY_HAND = [
    ("the closest length, of two equally close ones the smaller", ["a b c d e f", "a b c d e f", "a b c d e f"],
     [["a b c d", "a b c d e f g h i", "a b c"], ["a b c d e f g h", "a b c d e", "a b c d e f g h i"]]),
    ("matches of both", ["ein Hund läuft über die Wiese"], [["ein Hund läuft schnell"], ["er rennt über die Wiese"]]),
    ("the most of each n-gram, not the sum", ["the the the the cat sat"], [["the cat the"], ["a the the the dog"]]),
    ("chrF takes the reference that scores best", ["Ein Hund läuft.", "Zwei Frauen reden am Tisch."],
     [["Eine Katze schläft tief.", "Zwei Frauen reden am Tisch!"], ["Ein Hund läuft.", "Zwei Männer gehen."]]),
    ("by words another reference is the best", ["die rote Jacke da"], [["dierote Jackeda"], ["da Jacke rote die"]]),
    ("one reference missing", ["Ein Hund.", "Ein Mann."], [["", "Ein Mann."], ["Ein Hund.", ""]]),
    ("a short translation beside a missing reference", ["Ein Hund", "a b c"], [["", "a b c d"], ["Ein brauner Hund läuft", " \t"]]),
    ("nothing is right, and the first reference is missing", ["xyz", "Ein Mann."], [["", "Ein Mann."], ["Ein Hund läuft.", "Er."]]),
    ("missing in two lists of three", ["Ein Hund läuft.", "Zwei Frauen.", "Er."],
     [["Ein Hund rennt.", "", ""], ["", "", "Er."], ["Der Hund läuft.", "Zwei Damen.", "Sie."]]),
    ("nothing at all", ["", "a"], [["", ""], ["", ""], ["", ""]]),
]


def without_missing(references):
    """None in place of each line without text, which is no reference of its sentence; if a sentence has no other, the first stays."""
    kept = [[line if line.strip() else None for line in lines] for lines in references]
    for i, lines in enumerate(zip(*kept)):
        if not any(lines):
            kept[0][i] = references[0][i]
    return kept


def several_case(name, hypotheses, references, **options):
    theirs = without_missing(references)
    numbers = {sum(line is not None for line in lines) for lines in zip(*theirs)}
    return {"name": name, "hypotheses": hypotheses, "references": references, "number": numbers.pop() if len(numbers) == 1 else "var",
            **expected(hypotheses, theirs, **options)}


def several_cases(count, seed):
    yield from (several_case(*one) for one in SEVERAL_BY_HAND)
    draw = random.Random(seed + 1)
    for number in range(count):
        texts = [nasty_sentence(draw) for _ in range(draw.choice([1, 3, 5]))]
        references = [[disturbed(draw, text) for text in texts] for _ in range(draw.choice([2, 3, 4]))]
        options = {5: {"tokenize": "none"}, 7: {"lowercase": True}}.get(number % 10, {})
        yield several_case(f"random {number}, {len(references)} references", [disturbed(draw, t) for t in texts], references, **options)


def figures(result):
    return {key: float(value) for key, value in vars(result).items() if value is not None}


def paired(systems, references, lowercase=False):
    """The output of --paired-bs for each metric, with all digits."""
    by_name = {metric.corpus_score(["a"], [["a"]]).name: metric for metric in metrics(lowercase=lowercase).values()}
    test = PairedTest(list(enumerate(systems)), by_name, references, test_type="bs")
    signatures, results = test()
    return [{"metric": name, "signature": str(signatures[name]).rsplit("|", 1)[0], "systems": [figures(one) for one in results[name]]}
            for name in by_name]


def slip(draw, sentence, share):
    """The sentence without some of its words."""
    return " ".join(word for word in sentence.split(" ") if draw.random() > share)


def paired_cases(seed):
    draw = random.Random(seed + 2)
    for name, size, count, lowercase in [("one reference", 30, 1, False), ("in lower case", 25, 1, True), ("three references", 12, 3, False),
                                         ("two sentences", 2, 1, False), ("one sentence", 1, 1, False)]:
        texts = [nasty_sentence(draw) + "Ein Hund läuft über die Wiese und ein Mann schaut ihm zu ." for _ in range(size)]
        references = [[disturbed(draw, text) for text in texts] for _ in range(count)]
        systems = [[slip(draw, text, share) for text in texts] for share in (0.25, 0.25, 0.2, 0.1)]
        systems.append(systems[0])
        yield {"name": name, "lowercase": lowercase, "systems": systems, "references": references,
               "expected": paired(systems, references, lowercase)}


def signature(metric, references):
    """Without the version at its end, which differs between programs."""
    metric.corpus_score(["a"], [["a"]] * references)
    return str(metric.get_signature()).rsplit("|", 1)[0]


def signatures():
    for tokenize, lowercase, effective, references in itertools.product(("13a", "none"), (False, True), (False, True), (1, 3)):
        one = {"tokenize": tokenize, "lowercase": lowercase, "effective_order": effective, "references": references}
        yield {**one, **{name: signature(metric, references) for name, metric in metrics(tokenize, lowercase, effective).items()}}


def lines(folder, name):
    with gzip.open(pathlib.Path(folder) / f"{name}.gz", "rt", encoding="utf-8", newline="\n") as file:
        return file.read().split("\n")[:-1]


def without_sevenths(i, sentence):
    return " ".join(word for j, word in enumerate(sentence.split(" ")) if (i + 3 * j) % 7)


CHANGES = {  # the same ones stand in tests/chapters/11_translator/multi30k.hpp
    "none": lambda i, s: s,
    "lower case": lambda i, s: s.lower(),
    "one word before": lambda i, s: "well " + s,
    "first three words": lambda i, s: " ".join(s.split(" ")[:3]),
    "drop words": lambda i, s: without_sevenths(i, s),
    "drop words of odd lines": lambda i, s: without_sevenths(i, s) if i % 2 else s,
    "drop words of even lines": lambda i, s: s if i % 2 else without_sevenths(i, s),
}


def changed(sentences, change):
    """Translations with known mistakes."""
    if change == "next sentence":
        return sentences[1:] + sentences[:1]
    return [CHANGES[change](i, s) for i, s in enumerate(sentences)]


def multi30k_cases(folder):
    test = "test_2016_flickr"
    for hypotheses, references, change, options in [
            (f"{test}.en", f"{test}.de", "none", {}),
            *[(f"{test}.de", f"{test}.de", change, {})
              for change in ("lower case", "one word before", "first three words", "drop words", "next sentence")],
            ("val.en", "val.en", "drop words", {"lowercase": True}),
            (f"{test}.de", f"{test}.lc.norm.tok.de", "drop words", {"tokenize": "none", "lowercase": True})]:
        yield {"hypotheses": hypotheses, "references": references, "change": change,
               **expected(changed(lines(folder, hypotheses), change), [lines(folder, references)], **options)}


def multi30k_paired(folder):
    sentences, kinds = lines(folder, "test_2016_flickr.de"), ["drop words of odd lines", "drop words of even lines", "drop words"]
    yield {"file": "test_2016_flickr.de", "changes": kinds, "expected": paired([changed(sentences, kind) for kind in kinds], [sentences])}


def one_line(case):
    """As JSON; letters stay readable, what an editor would not show is escaped."""
    hidden = r"[\x7f-\xa0\xad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]"
    return re.sub(hidden, lambda c: f"\\u{ord(c[0]):04x}", json.dumps(case, ensure_ascii=False))


def write_groups(output, groups):
    with open(output, "w", encoding="utf-8") as file:
        file.write(f'{{"made_with": "sacreBLEU {sacrebleu.__version__}"')
        for name, group in groups.items():
            file.write(f',\n"{name}": [\n' + ",\n".join(map(one_line, group)) + "]")
        file.write("}\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--multi30k", help="folder of Multi30k; without it the file has no cases of real data")
    parser.add_argument("--output", default=pathlib.Path(__file__).parent / "scores.json")
    arguments = parser.parse_args()

    cases = [case(*c) for c in BY_HAND] + [case(*c, lowercase=True) for c in LOWER]
    cases += [case(f"{name}, no tokenizer", h, r, tokenize="none") for name, h, r in BY_HAND if len(h) < 4]
    cases += random_cases(arguments.cases, arguments.seed)
    cases += script_cases()
    folder = arguments.multi30k
    groups = {"signatures": signatures(), "cases": cases, "several": several_cases(arguments.cases // 5, arguments.seed),
              "paired": paired_cases(arguments.seed), "multi30k": multi30k_cases(folder) if folder else [],
              "multi30k_paired": multi30k_paired(folder) if folder else []}
    write_groups(arguments.output, groups)


if __name__ == "__main__":
    main()
