#!/usr/bin/env python3
"""Tests the counts of tests/measure/bench/tutorials on texts that are made up here; the tutorials' own texts are not part of the project."""
import io
import math
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "tutorials"), str(HERE)]
import forty_sentences  # noqa: E402
import french  # noqa: E402
import from_zero  # noqa: E402
import measure  # noqa: E402
import samlynnevans  # noqa: E402
import say_hello2y  # noqa: E402
import scorers  # noqa: E402
import sizes  # noqa: E402
import umar_jamil  # noqa: E402

SMALL = """a b c <pad> <eos>
a 1.0 1.0 1.0 0.0 0.0
b 1.0 1.0 1.0 0.0 0.0
c 1.0 1.0 1.0 0.0 0.0
<pad> 1.0 1.0 1.0 0.0 0.0
<eos> 1.0 1.0 1.0 0.0 0.0
between
<pad> x y z <eos>
a 0.0 0.0 0.0 0.0 0.0
b 0.0 1.0 0.0 0.0 0.0
c 0.0 1.0 1.0 0.0 0.0
<pad> 0.0 1.0 1.0 1.0 0.0
<eos> 0.0 1.0 1.0 1.0 0.0
"""
PAIRS = "translations = [('No.', 'Nie!')]\ntranslations = [\n('One, two', 'eins eins'),\n('a b c d', 'e f'),\n]\nLoss"


class Scorers(unittest.TestCase):
    def test_letters_are_compared_at_the_same_place(self):
        self.assertAlmostEqual(scorers.letters("three words only and more", "three words only"), 100)
        self.assertEqual(scorers.letters("and three words only", "three words only"), 0)

    def test_bleu_without_smoothing(self):
        right = "a b c d e".split()
        self.assertAlmostEqual(scorers.plain_bleu([(right, right)]), 100)
        self.assertAlmostEqual(scorers.plain_bleu([(right[:4], right)]), 100 * math.exp(-1 / 4))
        self.assertEqual(scorers.plain_bleu([("a b c x e".split(), right)]), 0)


class SayHello2y(unittest.TestCase):
    def test_sources_targets_and_predictions_belong_together(self):
        text = "source : a b \ntarget : c\npredicted : d\n"
        self.assertEqual(say_hello2y.triples(text), [["a b"], ["c"], ["d"]])
        with self.assertRaisesRegex(ValueError, "1, 1, 2 sources"):
            say_hello2y.triples(text + "predicted : e\n")


class FromZero(unittest.TestCase):
    def test_the_last_list_is_cleaned_and_padded(self):
        first, second = from_zero.pairs(PAIRS)
        self.assertEqual(first, [["one", "two"], ["eins", "eins"]])
        self.assertEqual(from_zero.asked(first), ["eins", "eins", "<pad>", "<eos>"])
        self.assertEqual(from_zero.asked(second), ["e", "f", "<pad>", "<pad>", "<pad>", "<eos>"])

    def test_the_least_losses(self):
        self.assertAlmostEqual(from_zero.least_over_positions(["a", "b", "a", "a"]), 3 * math.log(3))
        self.assertAlmostEqual(from_zero.least_without_source(["a", "b", "a"]), math.log(3) + 2 * math.log(3 / 2))

    def test_the_mask_over_the_source(self):
        self.assertEqual(from_zero.masks(SMALL), {"rows_that_see_nothing": 1, "words_never_seen": 1, "padding_seen": 2})

    def test_a_softmax_with_limits_has_no_sum_of_one(self):
        self.assertLess(sum(from_zero.softmax_with_limits((-20, -21, -22))), 0.001)
        self.assertAlmostEqual(max(from_zero.softmax_with_limits((30, 40, 26))), 1 / 3)


class Positions(unittest.TestCase):
    def test_the_papers_pairs_rotate_and_the_doubled_ones_do_not(self):
        def turn(factor):
            return lambda pair: 10000 ** (-factor * pair / samlynnevans.WIDTH)
        self.assertLess(samlynnevans.farthest_from_rotation(umar_jamil.sinusoids, turn(2), 20), 1e-12)
        self.assertGreater(samlynnevans.farthest_from_rotation(samlynnevans.doubled, turn(4), 20), 0.5)

    def test_columns_that_stand_still(self):
        self.assertEqual(samlynnevans.still_columns(umar_jamil.sinusoids, 80), 6)
        self.assertEqual(samlynnevans.still_columns(samlynnevans.doubled, 80), 131)


class Sizes(unittest.TestCase):
    def test_layers_by_hand(self):
        attention, network = 4 * (2 * 2 + 2), (2 * 3 + 3) + (3 * 2 + 2)
        self.assertEqual(sizes.layers(2, 3, 5, 4), 5 * (3 * attention + 2 * network + 5 * 4))


class FortySentences(unittest.TestCase):
    def test_marks_and_capitals_do_not_count(self):
        self.assertEqual(forty_sentences.cleaned("L'arbre qui plie,  ne se brise pas !"), "l arbre qui plie ne se brise pas")


class Record(unittest.TestCase):
    def test_a_figure_that_changed_or_is_missing_is_named(self):
        self.assertEqual(measure.different({"a": {"x": 1, "y": 2.0}}, {"a": {"x": 1, "y": 2.01}}), [])
        self.assertEqual(len(measure.different({"a": {"y": 2.0}}, {"a": {"y": 2.03}})), 1)
        self.assertEqual(measure.different({"a": {"x": 1}}, {"a": {"x": 2}}), ["a.x: recorded 1, measured 2"])
        self.assertEqual(measure.different({}, {"a": {"x": 0.5}}), ["a.x: recorded None, measured 0.5"])

    def test_without_the_texts_it_says_so(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch("sys.stderr", io.StringIO()) as said, \
                mock.patch.object(sys, "argv", ["measure.py", "gradus", "data", f"{folder}/none"]):
            self.assertEqual(measure.main(), 0)
        self.assertIn("nothing is measured", said.getvalue())


class French(unittest.TestCase):
    ENGLISH = ("Package: cat\nDescription-md5: 1a\nDescription-en: shows a file\n It reads a file. It\n prints all of it.\n .\n"
               " This part is short here.\n\n"
               "Package: cat-doc\nDescription-md5: 2b\nDescription-en: manual of cat\n A list:\n  * of two\n  * points\n\n")

    def test_paragraphs_of_a_description(self):
        self.assertEqual(french.descriptions(self.ENGLISH, "en"), {
            ("cat", "1a"): ["shows a file", "It reads a file. It prints all of it.", "This part is short here."],
            ("cat-doc", "2b"): ["manual of cat"]})

    def test_pairs_where_paragraphs_and_sentences_are_as_many(self):
        source = {"one": ["a title of words", "First of all. Second of all.", "Only one sentence here."]}
        source = {(name, ""): texts for name, texts in source.items()}
        target = {("one", ""): ["un titre de mots", "Le premier ici. Le second ici.", "Une phrase ici. Et une autre."]}
        found = [pair for _, pair in french.pairs(source, target)]
        self.assertEqual(found, [("a title of words", "un titre de mots"), ("First of all.", "Le premier ici."),
                                 ("Second of all.", "Le second ici.")])
        target[("one", "")].append("un de plus ici")
        self.assertEqual(french.pairs(source, target), [])

    def test_no_network_is_one_line_and_leaves_no_file(self):
        with tempfile.TemporaryDirectory() as place:
            with self.assertRaisesRegex(SystemExit, "^french.py: http://127.0.0.1:9/x.xz: "):
                french.fetched(pathlib.Path(place), "x.xz", "http://127.0.0.1:9")
            self.assertEqual(list(pathlib.Path(place).iterdir()), [])

    def test_what_is_no_pair(self):
        for here, there in (("the same words", "the same words"), ("two words", "deux mots"), ("one of three", "a b c d e f g"),
                            ("word " * 51, "mot " * 51)):
            self.assertFalse(french.fits((here, there)), here)
        self.assertTrue(french.fits(("word " * 50, "mot " * 50)))

    def test_packages_of_one_family_stand_in_one_part(self):
        self.assertEqual(len({french.family(name) for name in ("python3-numpy", "libnumpy-dev", "numpy-doc")}), 1)
        found = [(f"family{number // 7:03}", (str(number), "")) for number in range(7000)]
        cut = french.parts(found)
        self.assertEqual({part: len(lines) for part, lines in cut.items()}, {"test": 1001, "val": 1001, "train": 4998})
        where = [{int(pair[0]) // 7 for pair in lines} for lines in cut.values()]
        self.assertFalse(where[0] & where[1] or where[0] & where[2] or where[1] & where[2])
        self.assertNotEqual(sorted(where[0]), list(range(len(where[0]))))


if __name__ == "__main__":
    unittest.main()
