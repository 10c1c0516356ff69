#!/usr/bin/env python3
"""The rows of docs/peers.md, from what measure.py stored. tests/measure/bench/record.py peers runs this and stores what it prints.

    summary.py RESULTS.json [--table]     JSON, or a table for people
"""
import json
import math
import statistics
import sys

import load

# Row: what gradus is compared with, and the bound. "ratio" is how many times as fast gradus must be; "most" is a time in ms or s, or memory in MB.
ROWS = {
    "train_tutorial": ("train gradus 2", "train tutorial", "tokens", ("ratio", 8)),
    "train_tuned": ("train gradus 2", "train tuned", "tokens", ("ratio", 4)),
    "train_two": ("train gradus 2", "train two", "tokens", ("ratio", 2.5)),
    "train_threads": ("train gradus 2", "train gradus 1", "tokens", ("ratio", 1.9)),
    "beam_float32": ("captions 2 gradus", "captions 2 float32", "beam", ("ratio", 1.5)),
    "beam_int8": ("captions 2 gradus int8", "captions 2 int8", "beam", ("ratio", 1.5)),
    "greedy_float32": ("captions 2 gradus", "captions 2 float32", "greedy", ("ratio", 1.5)),
    "greedy_int8": ("captions 2 gradus int8", "captions 2 int8", "greedy", ("ratio", 1.5)),
    "beam_one_float32": ("captions 1 gradus", "captions 1 float32", "beam", None),
    "beam_one_int8": ("captions 1 gradus int8", "captions 1 int8", "beam", None),
    "greedy_one_float32": ("captions 1 gradus", "captions 1 float32", "greedy", None),
    "greedy_one_int8": ("captions 1 gradus int8", "captions 1 int8", "greedy", None),
    "alone_beam_float32": ("captions 1 gradus", "captions 1 float32", "alone beam", ("most", 5)),
    "alone_beam_int8": ("captions 1 gradus int8", "captions 1 int8", "alone beam", None),
    "alone_greedy_float32": ("captions 1 gradus", "captions 1 float32", "alone greedy", ("most", 2.5)),
    "alone_greedy_int8": ("captions 1 gradus int8", "captions 1 int8", "alone greedy", None),
    "words50_float32": ("words50 2 gradus", "words50 2 float32", "beam", ("ratio", 1.3)),
    "words50_int8": ("words50 2 gradus int8", "words50 2 int8", "beam", None),
    "words200_float32": ("words200 2 gradus", "words200 2 float32", "beam", ("ratio", 1.3)),
    "words200_int8": ("words200 2 gradus int8", "words200 2 int8", "beam", None),
    "loading": ("captions 1 gradus", "captions 1 float32", "loading", ("most", 15)),
    "training_memory": ("train gradus 2", "train tuned", "memory", ("most", 513)),
    "decoding_memory": ("captions 2 gradus", "captions 2 float32", "memory", ("most", 257)),
    "million": ("million gradus", None, "seconds", ("most", 40)),
}
MEASURES = {
    "tokens": lambda run: run["tokens"] / run["seconds"],
    "greedy": lambda run: run["searches"][0]["sentences_per_second"]["median"],
    "beam": lambda run: run["searches"][1]["sentences_per_second"]["median"],
    "alone greedy": lambda run: run["searches"][0]["ms_per_sentence_alone"]["median"],
    "alone beam": lambda run: run["searches"][1]["ms_per_sentence_alone"]["median"],
    "loading": lambda run: run["loading_ms"]["median"],
    "seconds": lambda run: run["seconds"],
    "memory": lambda run: run["peak_memory_mb"],
}
UNITS = {"seconds": "s", "memory": "MB"}  # of the others: ms
NO_LOAD = "hardly any"
NOT_JUDGED = "not judged: other load"
NOT_MEASURED = "not measured"
FAILED = "failed"
NO_BOUND = "no bound"
RATES = ("tokens", "greedy", "beam")  # more is better; of the others less is


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def text(values):
    """The median and, of several values, the range."""
    middle = number(statistics.median(values))
    return middle if len(values) == 1 else f"{middle} ({number(min(values))} to {number(max(values))})"


def bound_text(bound, measure):
    if bound is None:
        return NO_BOUND
    kind, value = bound
    return f"{value:g} times" if kind == "ratio" else f"at most {value:g} {UNITS.get(measure, 'ms')}"


def left_text(left):
    """Rounded down, so that the limit itself is the first that is enough."""
    return f"{math.floor(100 * left + 1e-9)} %"


def judged(bound, value, ratio):
    """Whether a bound is met: `value` is what gradus needs, `ratio` how many times as fast as the peer it is."""
    kind, limit = bound
    return "met" if (ratio >= limit if kind == "ratio" else value <= limit) else "not met"


def row(runs, ours, theirs, measure, bound):
    """One line of the page. Other load in one of its runs leaves the bound without a judgement."""
    names = [ours] if theirs is None else [ours, theirs]
    if not all(name in runs for name in names):
        return {"gradus": "", "peer": "", "ratio": "", "bound": bound_text(bound, measure), "result": NOT_MEASURED}
    mine = [MEASURES[measure](run) for run in runs[ours]]
    other = [] if theirs is None else [MEASURES[measure](run) for run in runs[theirs]]
    if not all(value > 0 for value in mine + other):
        return {"gradus": "", "peer": "", "ratio": "", "bound": bound_text(bound, measure), "result": FAILED}
    left = min(load.of_run(run) for name in names for run in runs[name])
    result = {"gradus": text(mine), "bound": bound_text(bound, measure), "rounds": len(mine), "left": left_text(left)}
    ratio = None
    if other:
        ratio = statistics.median(mine) / statistics.median(other)
        ratio = ratio if measure in RATES else 1 / ratio
        result.update({"peer": text(other), "ratio": f"{ratio:.2f}"})
    if bound is None:
        result["result"] = ""
    else:
        result["result"] = judged(bound, statistics.median(mine), ratio) if left >= load.QUIET else NOT_JUDGED
    return result


def versions(runs, begin):
    """Of the peers in the runs whose names begin so."""
    found = {run["version"] for name, all_runs in runs.items() for run in all_runs if name.startswith(begin) and "version" in run}
    return ", ".join(sorted(found)) or "not measured"


def product_flops(run):
    """Floating-point operations of a training's products with weights, without those inside attention: 2 for each multiplication, in the
    forward pass and twice as many in the backward pass. d128, f256, 4 + 4 layers, 10,000 words."""
    width, inner, layers, words = 128, 256, 4, 10_000
    layer = 4 * width ** 2 + 2 * width * inner  # self-attention and feed-forward network
    source = layers * (layer + 2 * width ** 2)  # with the keys and values of cross-attention
    target = layers * (layer + 2 * width ** 2) + words * width
    return 6 * (source * run["source_tokens"] + target * run["tokens"])


def ceiling(runs, products_gflops):
    """What training could reach if two threads did nothing but products, at the rate of a large one."""
    ours = runs.get("train gradus 2")
    if not ours or not all(run.get("source_tokens", 0) > 0 and run["tokens"] > 0 for run in ours):
        return {}
    run = sorted(ours, key=MEASURES["tokens"])[len(ours) // 2]
    rate, per_token = 2e9 * products_gflops, product_flops(run) / run["tokens"]
    found = {"training_mflop": f"{per_token / 1e6:.1f}", "training_share": f"{100 * per_token * MEASURES['tokens'](run) / rate:.0f} %",
             "training_most": number(rate / per_token)}
    for kind in ("tutorial", "tuned"):
        if f"train {kind}" in runs:
            theirs = statistics.median(MEASURES["tokens"](other) for other in runs[f"train {kind}"])
            found[f"training_most_{kind}"] = f"{rate / per_token / theirs:.1f}"
    return found


def conditions(runs, about):
    """What was measured about the machine during the comparison."""
    translated = [(name, run) for name, all_runs in runs.items() for run in all_runs if "searches" in run]
    ours = [run for name, run in translated if name.endswith("gradus")]
    if not ours:
        sys.exit("no translation was measured")
    shares = [run["processor_share"] for _, run in translated]
    products = [run["products_gflops"]["median"] for run in ours]
    return {
        "processor": ours[0]["processor"],
        "kind": about.get("kind", ours[0]["processor"]),
        "processors": about["processors"],
        "same": about["same"],
        "of": about["of"],
        "blas_core": ours[0]["blas_core"],
        "products_gflops": text(products),
        **ceiling(runs, statistics.median(products)),
        "gradus": about["gradus"].split(" (")[0],
        "ctranslate2": versions(runs, "captions"),
        "pytorch": versions(runs, "train"),
        "python": about["python"],
        "processor_share": f"{100 * statistics.median(shares):.0f} % ({100 * min(shares):.0f} to {100 * max(shares):.0f})",
    }


def load_text(rows):
    """What the rows say about other load."""
    measured = [found for found in rows.values() if "left" in found]
    disturbed = sum(float(found["left"].split()[0]) < 100 * load.QUIET for found in measured)
    return f"in {disturbed} of {len(measured)} rows" if disturbed else NO_LOAD


def print_table(summary):
    print(f"\n{'':22}{'gradus':24}{'peer':24}{'ratio':>6}  {'must be':16}{'left':>6}")
    for key, found in summary["rows"].items():
        print(f"{key:22}{found['gradus']:24}{found.get('peer', ''):24}{found.get('ratio', ''):>6}  {found['bound']:16}{found.get('left', ''):>6}  "
              f"{found['result']}")
    print("\n" + "\n".join(f"{key}: {value}" for key, value in summary["conditions"].items()))
    others = [f"{count} are {result}" for result, count in summary["others"].items()]
    print("; ".join([f"{summary['met']} of {summary['bounds']} bounds are met", *others]))


def summarised(results):
    runs = {name: all_runs for name, all_runs in results["runs"].items() if all_runs}
    rows = {key: row(runs, *what) for key, what in ROWS.items()}
    judgements = [found["result"] for found in rows.values() if found["bound"] != NO_BOUND]
    others = {result: judgements.count(result) for result in ("not met", NOT_JUDGED, NOT_MEASURED, FAILED) if result in judgements}
    return {"rows": rows, "conditions": {**conditions(runs, results["conditions"]), "load": load_text(rows)}, "bounds": len(judgements),
            "met": judgements.count("met"), "others": others}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        summary = summarised(json.load(file))
    if "--table" in sys.argv:
        print_table(summary)
    else:
        print(json.dumps(summary))


if __name__ == "__main__":
    main()
