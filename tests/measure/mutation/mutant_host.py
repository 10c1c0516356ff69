"""Mutants of the code for the processor: tests/measure/mutation/mutants.py --host. Draws some for each file and runs its tests on them."""
import json
import tempfile
import threading
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mutant_host_judges import HostJudges
from mutant_host_rules import candidates, drawn
from mutant_judges import ROOT, WORK
from mutant_mirrors import folders_of, scripts_of
from mutant_results import PUBLISHED, VERDICTS, Results, checksum, explained, fingerprint, row_of, stamp, tally, text_of

COUNT = 3  # for each file, unless --count asks for more
# Left out: kernels, which have their own mutants; demos and their printing, which the lessons check; tiny_training, whose
# weights are stored; files for other systems, or for systems without a library, which are not compiled here.
NOT_HERE = ("_cuda.hpp", "_cuda.cpp", "/demo.cpp", "/plain.cpp", "chapters/plain/transformer.cpp", "/demo_text.cpp", "/demo_parts.hpp", "/demo_ranks.cpp", "/tiny.hpp",
            "/tiny.cpp", "/tiny_training.cpp", "/tiny_model.hpp", "nvcc/language.hpp", "nvcc/ptx.hpp", "gpu/language.hpp", "kernels/reduce.hpp", "kernels/exp_sum.hpp",
            "kernels/column_sums.hpp", "kernels/quad.hpp", "kernels/rows_by_id.hpp", "device/cuda.hpp", "host/sanitizers.hpp", "system/apple.cpp",
            "system/malloc_other.cpp", "system/processor_other.cpp", "serve/http_server_none.cpp", "terminal/line_editor_none.cpp")


def host_files(word):
    paths = (path for room in ("lib", "chapters", "app") for path in sorted((ROOT / room).rglob("*.?pp")))
    names = (path.relative_to(ROOT).as_posix() for path in paths)
    return [name for name in names if word in name and not name.endswith(NOT_HERE)]


def room_of(name):
    return name.rsplit("/", 1)[0]


def judges_now(name):
    """The fingerprint of the tests of a file."""
    return fingerprint(["tests/support", *folders_of(name)] + ["tests/chapters/11_translator"] * bool(scripts_of(name)))


def order(name, seed):
    return drawn(list(candidates(name, text_of(name))), seed)


class HostBench:
    """One worker, with its own folder. Other kinds of mutants have other judges and another order."""
    make_judges, order = HostJudges, staticmethod(order)

    def __init__(self, folder, results):
        self.folder, self.results, self.judges = folder, results, None

    def found_by(self, mutant):
        known = self.results.get(mutant)
        if known is not None:
            return known
        self.judges = self.judges or self.make_judges(self.folder)
        by = self.judges.verdict(mutant)
        if by or self.judges.are_whole(mutant.name):
            self.results.put(mutant, "", by)
        return by

    def rows(self, name, options, reasons):
        """The rows of the first mutants that compile, and whether these are all that must be tried. --write tries none."""
        rows, is_covered = [], True
        for mutant in self.order(name, options.seed):
            if len(rows) == options.count:
                break
            if options.write and self.results.get(mutant) is None:
                is_covered = False
                break
            by = self.found_by(mutant)
            if by != "compiler":
                rows.append(row_of(mutant, reasons, by=by))
        counts = tally(rows)
        print(f"{name}: " + ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS), flush=True)
        return rows, is_covered


def share(counts):
    """The percentage of rejected mutants, without those that change nothing."""
    able = counts["tried"] - counts["equivalent"]
    return round(100 * counts["killed"] / able, 1) if able else 100.0


def added(many):
    total = {what: sum(counts[what] for counts in many) for what in ("tried", *VERDICTS)}
    return {**total, "percent": share(total)}


def covered(found, options, known, checksum):
    """The score and its parts. Earlier results of a file stay until its code changes or it is tried again."""
    if (known.get("seed"), known.get("a_file")) != (options.seed, options.count):
        known = {}
    files, left, not_killed, texts = {}, [], [], {}
    for name, (rows, is_covered) in found.items():
        if not is_covered and known.get("texts", {}).get(name) == checksum(name):
            files[name] = known["by_file"][name]
            not_killed += [row for row in known["not_killed"] if row["file"] == name]
        elif is_covered:
            files[name] = tally(rows)
            not_killed += [row for row in rows if row["verdict"] != "killed"]
        else:
            left.append(name)
            continue
        texts[name] = checksum(name)
    return {"seed": options.seed, "a_file": options.count, **added(files.values()), "files": len(found), "files_covered": len(files),
            "left": left, "by_file": files, "not_killed": not_killed, "texts": texts}


def published(found, options):
    """The score, also of each room."""
    known = json.loads(text_of(PUBLISHED.relative_to(ROOT))).get("host", {})
    score, rooms = covered(found, options, known, checksum), defaultdict(list)
    for name, counts in score["by_file"].items():
        rooms[room_of(name)].append(counts)
    return {**score, "by_room": {room: added(many) for room, many in rooms.items()}}


def judge_files(names, options, make_bench, results):
    """(rows, whether all were tried) by file; `options.jobs` files at a time, each worker with a bench of its own."""
    reasons, worker = explained(), threading.local()
    WORK.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        def begin():
            worker.bench = make_bench(Path(tempfile.mkdtemp(dir=folder)), results)
        with ThreadPoolExecutor(options.jobs, initializer=begin) as pool:
            return dict(zip(names, pool.map(lambda name: worker.bench.rows(name, options, reasons), names)))


def judge(names, options, part, make_bench, results, score):
    """Lists the mutants of the files, or tries them, and writes the `score` of what was found as this part of the results; the exit status."""
    if options.list:
        for mutant in (mutant for name in names for mutant in make_bench.order(name, options.seed)[:options.count]):
            before, after = mutant.shown()
            print(f"{mutant.name}:{mutant.line} {mutant.kernel}: {mutant.rule}\n  - {before}\n  + {after}")
        return 0
    found = judge_files(names, options, make_bench, results)
    if options.write:
        known = json.loads(PUBLISHED.read_text(encoding="utf-8"))
        known[part] = score(found, options, known.get(part, {}))
        PUBLISHED.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
    counts = tally([row for rows, _ in found.values() for row in rows])
    print(", ".join(f"{count} {what}" for what, count in counts.items()) + f": {share(counts)} % rejected")
    return 0 if counts["tried"] and not counts["survived"] else 1


def main(options):
    options.count = options.count or COUNT
    names = [name for name in host_files(options.word) if any(found for _, found in candidates(name, text_of(name)))]
    return judge(names, options, "host", HostBench, Results(judges_now), lambda found, options, _: {**published(found, options), **stamp()})
