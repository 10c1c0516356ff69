"""say-hello2y: its eleven printed predictions, scored again; the bundled model on the same sentences."""

import re
import statistics

import scorers


def triples(text):
    """The lines "source : ...", "target : ..." and "predicted : ..." of the text."""
    found = [re.findall(rf"^{word} : (.*?)\s*$", text, re.MULTILINE) for word in ("source", "target", "predicted")]
    if not found[0] or len({len(lines) for lines in found}) != 1:
        raise ValueError(f"say-hello2y: {', '.join(str(len(lines)) for lines in found)} sources, targets, predictions; expected as many")
    return found


def measured(text, gradus, _):
    sources, targets, predicted = triples(text)
    words = [(p.split(), t.split()) for p, t in zip(predicted, targets)]
    letters = [scorers.letters(*pair) for pair in zip(predicted, targets)]
    places = [a == b for pair in words for a, b in zip(*pair)]
    ours = [" ".join(scorers.tokens(line)) for line in gradus.translations(sources)]
    bleu, letters_mean = gradus.bleu(predicted, targets), statistics.mean(letters)
    our_bleu, our_letters = gradus.bleu(ours, targets), statistics.mean(map(scorers.letters, ours, targets))
    return {"pairs": len(words), "printed": float(re.search(r"^BLEU SCORE = (\S+)$", text, re.MULTILINE).group(1)),
            "bleu": bleu, "two_words": sum(scorers.matches(*pair, 2) for pair in words),
            "two_words_of": sum(len(p) - 1 for p, _ in words), "four_words": sum(scorers.matches(*pair, 4) for pair in words),
            "letters": letters_mean, "letters_least": min(letters), "letters_most": max(letters),
            "places_right": 100 * statistics.mean(places), "repeated_stops": sum(line.endswith(". .") for line in predicted),
            "bundled_bleu": our_bleu, "bundled_letters": our_letters, "share_by_letters": 100 * letters_mean / our_letters,
            "share_by_bleu": 100 * bleu / our_bleu,
            "bundled_four_words": sum(scorers.matches(o.split(), t.split(), 4) for o, t in zip(ours, targets))}
