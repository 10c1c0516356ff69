#!/usr/bin/env python3
"""Tests french.py on two small files of descriptions: the pairs, the parts, and the digests of the very files that were read."""
import bz2
import hashlib
import lzma
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))

import french  # noqa: E402


def entry(package, checksum, language, title, *paragraphs):
    body = "\n .\n".join(f" {paragraph}" for paragraph in paragraphs)
    return f"Package: {package}\nDescription-md5: {checksum}\nDescription-{language}: {title}\n{body}\n\n"


ENGLISH = (entry("python3-numpy", "a1", "en", "Fast array facility", "It has arrays. They are fast and small.")
           + entry("python3-numpy-doc", "b2", "en", "Fast array pages", "  a list that is left out")
           + entry("zebra", "c3", "en", "Striped animal server", "One paragraph is here.", "A second one is here."))
FRENCH = (entry("python3-numpy", "a1", "fr", "Tableaux très rapides", "Il a des tableaux. Ils sont rapides et petits.")
          + entry("python3-numpy-doc", "b2", "fr", "Pages de tableaux rapides", "  une liste")
          + entry("zebra", "c3", "fr", "Serveur à rayures", "Un seul paragraphe est ici.")
          + entry("zebra", "other", "fr", "Jamais lu ici", "Autre texte."))


class French(unittest.TestCase):
    def setUp(self):
        keep = tempfile.TemporaryDirectory()
        self.addCleanup(keep.cleanup)
        self.folder = Path(keep.name)
        self.packed = {"Translation-en.xz": lzma.compress(ENGLISH.encode()), "Translation-fr.bz2": bz2.compress(FRENCH.encode())}
        for name, data in self.packed.items():
            (self.folder / name).write_bytes(data)

    def test_each_digest_is_that_of_its_file_as_it_was_fetched(self):
        told = french.written(self.folder, "nowhere")
        self.assertEqual(told["sha256"], {name: hashlib.sha256(data).hexdigest() for name, data in self.packed.items()})
        self.assertNotEqual(*told["sha256"].values())

    def test_pairs_are_of_one_description_with_as_many_paragraphs_and_sentences(self):
        english, french_text = (french.descriptions(text, language) for text, language in ((ENGLISH, "en"), (FRENCH, "fr")))
        self.assertEqual([pair for _, pair in french.pairs(english, french_text)],
                         [("Fast array facility", "Tableaux très rapides"), ("It has arrays.", "Il a des tableaux."),
                          ("They are fast and small.", "Ils sont rapides et petits."), ("Fast array pages", "Pages de tableaux rapides")])

    def test_families_stay_together_and_every_pair_is_written_once(self):
        with mock.patch.object(french, "SIZES", {"test": 1, "val": 2}):
            told = french.written(self.folder, "nowhere")
        self.assertEqual(sum(told["pairs"].values()), 4)
        lines = {part: [(self.folder / f"{part}.{side}").read_text(encoding="utf-8").splitlines() for side in ("en", "fr")]
                 for part in ("test", "val", "train")}
        self.assertEqual({part: len(sides[0]) for part, sides in lines.items()}, told["pairs"])
        self.assertEqual(lines["test"][0], ["Fast array facility", "It has arrays.", "They are fast and small.", "Fast array pages"])
        self.assertEqual(lines["test"][1][1], "Il a des tableaux.")

    def test_a_file_that_is_there_is_not_fetched(self):
        with mock.patch.object(french.urllib.request, "urlopen", side_effect=OSError("no network")) as opened:
            french.written(self.folder, "nowhere")
            self.assertFalse(opened.called)
            (self.folder / "Translation-en.xz").unlink()
            with self.assertRaisesRegex(SystemExit, "french.py: nowhere/Translation-en.xz: no network"):
                french.written(self.folder, "nowhere")

    def test_what_fits(self):
        for pair, fits in ((("a b c", "d e f"), True), (("a b", "d e f"), False), (("a b c", "a b c"), False), (("a b c", "d " * 7), False),
                           (("a b c", "d " * 6), True), (("a " * 51, "d " * 50), False), (("a " * 50, "d " * 49), True)):
            self.assertEqual(french.fits(pair), fits, pair)


if __name__ == "__main__":
    unittest.main()
