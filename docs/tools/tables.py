"""Tables that pages show in full: each function makes one from the measurements, and says what has not been measured.

lessons.py puts them into blocks `<!-- table: NAME -->`.
"""
import re
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests/wrong"))

import twin_rows  # noqa: E402

# What each twin of tests/wrong/cost/CMakeLists.txt does; tables_test.py compares the names.
TWINS = {
    "sample-variance": "layer norm divides the variance by D - 1",
    "sample-deviation": "layer norm divides the variance by D - 1 and adds epsilon after the root",
    "epsilon-outside-root": "layer norm adds epsilon after the root",
    "no-scale": "scores are not divided by √Dk",
    "severed-gradient": "queries, keys and values get no gradient",
    "causal-cross": "cross-attention is causal: the last word of the target sees the whole source, each word before it one word less",
    "cross-module-unused": "cross-attention uses the weights of self-attention",
    "doubled-index": "the index of the positions is doubled",
    "scale-forgotten": "the embedding is not multiplied by √D",
    "loss-over-positions": "the loss takes softmax over the positions, not over the words",
    "padding-counted": "the loss counts padding (packed batches have none)",
}
LIKE, LITTLE = 0.03, 0.3  # nats: what a reader of a curve cannot see, and what looks like chance


def judges(root, twin):
    """The judges that reject a twin, in one chapter at least, and those that cannot see it in any."""
    reject, blind = [], []
    for row in twin_rows.rows(root):
        if row.name == twin:
            reject += [name for name in row.judges if name[0] != "-"]
            blind += [name[1:] for name in row.judges if name[0] == "-"]
    return list(dict.fromkeys(reject)), [word for word in dict.fromkeys(blind) if word not in reject]


def seen(runs, right):
    """What a reader of the loss curve would say: the ends of both curves, each the mean of the seeds that both have."""
    both = min(len(runs), len(right))
    end, expected = (statistics.mean(run["curve"][-1][1] for run in some[:both]) for some in (runs, right))
    by = end - expected
    word = ("like the right one" if abs(by) < LIKE else
            ("a little " if abs(by) < LITTLE else "much ") + ("higher" if by > 0 else "lower"))
    return f"{end:.2f}, {word}"


def mean(runs, key):
    return statistics.mean(run[key] for run in runs)


def row(root, name, cost, right):
    reject, blind = judges(root, name)
    noticed = ", ".join(reject) + (f"; blind: {', '.join(blind)}" if blind else "")
    figures = ("not measured yet", "", "", "")
    if cost:
        figures = (f"{cost['lost']:.2f}", f"{mean(cost['runs'], 'bleu'):.2f}", str(len(cost["runs"])), seen(cost["runs"], right))
    return f"| `{name}` | {TWINS[name]} | {noticed} | " + " | ".join(figures) + " |"


def order(twins):
    """Twins by what they cost, the dearest first; those without a figure last, in the order of TWINS."""
    return sorted(TWINS, key=lambda name: -twins[name]["lost"] if name in twins else float("inf"))


def conditions(costs, twins):
    """The sentences above the table: what was measured, and what was not."""
    right = costs.get("right", {}).get("runs", [])
    if not right:
        return "Nothing has been measured yet: the table has the judges alone."
    missing = [f"`{name}`" for name in TWINS if name not in twins]
    done = f"Measured: {len(twins)} of {len(TWINS)} twins." + (f" Not measured yet: {', '.join(missing)}." if missing else "")
    epochs = f"{costs['epochs']} epoch" + ("s" if costs["epochs"] != 1 else "")
    return (f"Trained with {epochs} of {costs['pairs']:,} pairs, one thread; scored on {costs['test_sentences']:,} sentences of "
            f"{costs['test']}, beam {costs['beam_size']}. {done} The right program has {mean(right, 'bleu'):.2f} BLEU (seeds: {len(right)}) "
            f"and ends its curve at {mean([{'end': run['curve'][-1][1]} for run in right], 'end'):.2f}.")


def twin_costs(root, measured):
    costs = measured.get("twins", {})
    twins = {name: costs[name] for name in TWINS if name in costs}
    right = costs.get("right", {}).get("runs", [])
    return "\n".join([conditions(costs, twins), "", "| twin | mistake | judges that notice it | BLEU lost | BLEU | seeds | end of the loss curve |",
                      "|---|---|---|---:|---:|---:|---|", *(row(root, name, twins.get(name), right) for name in order(twins))])


def plain(text):
    """A translation in a cell of a table."""
    return re.sub(r"([|`*_<>\\])", r"\\\1", text) or "(nothing)"


def twin_sentences(_, measured):
    costs = measured.get("twins", {})
    if not costs.get("right", {}).get("runs"):
        return "Nothing has been measured yet."
    lines = [f"| program | “{plain(costs['sentence'])}” |", "|---|---|", f"| right | {plain(costs['right']['runs'][0]['says'])} |"]
    return "\n".join(lines + [f"| `{name}` | {plain(costs[name]['runs'][0]['says'])} |" for name in order(costs) if name in costs])


# The works and the parts of tests/measure/bench/peers/time_shares.py; peers_test.py compares the names.
WORKS = {"training": "training", "beam": "beam 5", "greedy": "greedy", "greedy_int8": "greedy, 8 bits", "words200": "200 words, beam 5"}
PARTS = {
    "products": "products of matrices that are in no line below",
    "words": "output layer and choice of words, in translating",
    "attention": "attention, without its linear maps",
    "loss": "the loss, without its products",
    "dropout": "dropout",
    "norms": "layer norm",
    "gradients": "adding gradients, Adam",
    "text": "text and pieces",
    "memory": "memory: copies, new pages",
    "system": "the operating system",
    "other": "all other functions",
}


def time_shares(_, measured):
    found = measured.get("time_shares")
    if not found:
        return "Nothing has been measured yet."
    lines = ["| part | " + " | ".join(WORKS.values()) + " |", "|---" + "|---:" * len(WORKS) + "|"]
    lines += [f"| {name} | " + " | ".join(f"{found['works'][work][part]:.1f}" for work in WORKS) + " |" for part, name in PARTS.items()]
    return "\n".join([f"Percent of the time of each work, on one thread of {found['kind']}, {found['date']}:", "", *lines])


# The codes of tests/measure/bench/warning_rates.py and the texts that it measures.
WARNINGS = ("unsure", "never-seen", "repetition", "numbers", "several-sentences")
TEXTS = {"japanese": "made words into Japanese", "thai": "made words into Thai", "from-thai": "made words from Thai",
         "arabic": "made words into Arabic", "digits": "digits, reversed", "packages": "package descriptions into French"}


def warning_cell(found):
    """Precision, recall and the number of warnings."""
    if not found["warned"]:
        return "–"
    recall = "" if found["recall"] is None else f", {found['recall']:.2f}"
    return f"{found['precision']:.2f}{recall} ({found['warned']})"


def warning_kinds(_, measured):
    made = measured.get("warnings", {}).get("made", {})
    if not made:
        return "Nothing has been measured yet."
    lines = ["Of each warning: precision, recall, and in brackets how many lines had it. –: none had it.", "",
             f"| text | lines | bad | {' | '.join(f'`{code}`' for code in WARNINGS)} | all |", f"|---|---:|---:|{'---|' * (len(WARNINGS) + 1)}"]
    rows = {"the judged list, bundled en-de": measured["warnings"], "what no model here can translate, bundled en-de": measured["warnings"]["garbage"]}
    for kind, name in TEXTS.items():
        rows[name] = made[kind]["own"]
        rows[f"what its model cannot translate: {name}"] = made[kind]["garbage"]
    for name, found in rows.items():
        cells = " | ".join(warning_cell(found[code]) for code in (*WARNINGS, "all"))
        lines.append(f"| {name} | {found['sentences']} | {found['bad']} | {cells} |")
    return "\n".join(lines)


SYSTEMS = {"bookworm": "Debian 12", "trixie": "Debian 13"}


def compilers(root, _):
    """The compilers of `make check-compilers`."""
    lines = (root / "tests/compilers/compilers.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split("#")[0].split() for line in lines]
    libraries = {}
    for system, compiler, library in (words for words in rows if len(words) == 3 and words[0] in SYSTEMS):
        libraries.setdefault((SYSTEMS[system], compiler.replace("clang++", "clang").replace("-", " ")), []).append(library)
    found = [f"| {system} | {compiler} | {', '.join(names)} |" for (system, compiler), names in libraries.items()]
    return "\n".join(["| system | compiler | standard libraries |", "|---|---|---|", *found])


def plain_sections(root, _):
    """Which lines of chapters/plain/transformer.cpp belong to which chapters, from its headings."""
    lines = (root / "chapters/plain/transformer.cpp").read_text(encoding="utf-8").splitlines()
    headings = [(at, re.match(r"// -{5,} (.+)", line)[1]) for at, line in enumerate(lines, 1) if re.match(r"// -{5,} ", line)]
    folders = {folder.name[:2]: folder.name for folder in (root / "chapters").glob("[0-9][0-9]_*")}
    rows = []
    for (begin, heading), (end, _) in zip(headings, [*headings[1:], (len(lines) + 1, "")]):
        what, chapters = re.fullmatch(r"(.+?)(?: \(chapters? (.+)\))?", heading).groups()
        links = ", ".join(f"[{number}](../{folders[number]}/README.md)" for number in re.findall(r"\d\d", chapters or ""))
        section, what = re.fullmatch(r"(?:([\d., ]+\d)  )?(.+)", what).groups()
        rows.append(f"| {begin} to {end - 1} | {what} | {section or ''} | {links} |")
    return "\n".join(["| lines | what | section of the paper | chapters |", "|---|---|---|---|", *rows])


TABLES = {"compilers": compilers, "plain-sections": plain_sections, "twin-costs": twin_costs, "twin-sentences": twin_sentences, "time-shares": time_shares, "warning-kinds": warning_kinds}
