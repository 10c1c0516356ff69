"""Mistakes that people thought of: tests/measure/mutation/mutants.py --planted. Each line of planted.txt is judged as a mutant of the code for the processor."""
from mutant_host import HostBench, added, judge, judges_now
from mutant_judges import ROOT
from mutant_results import Results, stamp, tally, text_of
from mutant_rules import Mutant

PLANTED = ROOT / "tests" / "measure" / "mutation" / "planted.txt"


def planted():
    """(file, text before, text after) of each mistake."""
    lines = PLANTED.read_text(encoding="utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines if line and not line.startswith("#")]


def order(name, _seed=None):
    """The mistakes of a file, in their order. ValueError if the text that one of them changes is not there exactly once."""
    source, found = text_of(name), []
    for _, before, after in (row for row in planted() if row[0] == name):
        if source.count(before) != 1:
            raise ValueError(f"planted.txt: {name} has {source.count(before)} times: {before}")
        begin = source.index(before)
        found.append(Mutant(name, source, "", "planted", begin, begin + len(before), after))
    return found


class PlantedBench(HostBench):
    order = staticmethod(order)


def main(options):
    options.count = options.count or len(planted())
    names = [name for name in dict.fromkeys(row[0] for row in planted()) if options.word in name]
    return judge(names, options, "planted", PlantedBench, Results(judges_now),
                 lambda found, _options, _known: {**added([tally(rows) for rows, _ in found.values()]), **stamp()})
