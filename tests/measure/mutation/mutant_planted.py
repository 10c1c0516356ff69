"""Mistakes that people thought of: tests/measure/mutation/mutants.py --planted. Each line of planted.txt is judged as --host judges a mutant of its file, those of
tools as --scripts does."""
import mutant_host
import mutant_scripts
from mutant_host_judges import HostJudges
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


def kind_of(name):
    """The judges of a file, and the module that knows them."""
    return (mutant_scripts.Workshop, mutant_scripts) if mutant_scripts.judges_of(name) else (HostJudges, mutant_host)


class Judges:
    """Those of the code for the processor and those of tools."""

    def __init__(self, folder):
        self.folder, self.made = folder, {}

    def of(self, name):
        make = kind_of(name)[0]
        if make not in self.made:
            self.made[make] = make(self.folder)
        return self.made[make]

    def verdict(self, mutant):
        return self.of(mutant.name).verdict(mutant)

    def are_whole(self, name):
        return self.of(name).are_whole(name)


class PlantedBench(mutant_host.HostBench):
    make_judges, order = Judges, staticmethod(order)


class PlantedResults(Results):
    @staticmethod
    def key(mutant, form):
        return (mutant_scripts.ScriptResults if mutant_scripts.judges_of(mutant.name) else Results).key(mutant, form)


def judges_now(name):
    return kind_of(name)[1].judges_now(name)


def main(options):
    options.count = options.count or len(planted())
    names = [name for name in dict.fromkeys(row[0] for row in planted()) if options.word in name]
    return mutant_host.judge(names, options, "planted", PlantedBench, PlantedResults(judges_now),
                             lambda found, _options, _known: {**mutant_host.added([tally(rows) for rows, _ in found.values()]), **stamp()})
