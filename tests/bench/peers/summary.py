#!/usr/bin/env python3
"""The rows of docs/peers.md, from what measure.py stored. tests/bench/record.py peers runs this and stores what it prints.

    summary.py RESULTS.json [--table]     JSON, or a table for people
"""
import json
import statistics
import sys

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
QUIET = "hardly any"
NOT_JUDGED = "not judged: other load"
RATES = ("tokens", "greedy", "beam")  # more is better; of the others less is


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def text(values):
    """The median and, of several values, the range."""
    middle = number(statistics.median(values))
    return middle if len(values) == 1 else f"{middle} ({number(min(values))} to {number(max(values))})"


def bound_text(bound, measure):
    if bound is None:
        return "no bound"
    kind, value = bound
    return f"{value:g} times" if kind == "ratio" else f"at most {value:g} {UNITS.get(measure, 'ms')}"


def row(runs, ours, theirs, measure, bound):
    """None if one of the programs has not been measured."""
    if ours not in runs or (theirs is not None and theirs not in runs):
        return None
    mine = [MEASURES[measure](run) for run in runs[ours]]
    result = {"gradus": text(mine), "bound": bound_text(bound, measure), "rounds": len(mine)}
    ratio = None
    if theirs is not None:
        other = [MEASURES[measure](run) for run in runs[theirs]]
        ratio = statistics.median(mine) / statistics.median(other)
        ratio = ratio if measure in RATES else 1 / ratio
        result.update({"peer": text(other), "ratio": f"{ratio:.2f}"})
    if bound is None:
        result["result"] = ""
    else:
        reached = ratio >= bound[1] if bound[0] == "ratio" else statistics.median(mine) <= bound[1]
        result["result"] = "met" if reached else "not met"
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
    if not ours or any("source_tokens" not in run for run in ours):
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


def conditions(results):
    """What was measured about the machine during the comparison."""
    runs, about = results["runs"], results["conditions"]
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
        "load": QUIET if statistics.median(shares) >= 0.95 else "other programs were running",
    }


def print_table(summary):
    print(f"\n{'':22}{'gradus':24}{'peer':24}{'ratio':>6}  {'must be':16}")
    for key, found in summary["rows"].items():
        print(f"{key:22}{found['gradus']:24}{found.get('peer', ''):24}{found.get('ratio', ''):>6}  {found['bound']:16}{found['result']}")
    print("\n" + "\n".join(f"{key}: {value}" for key, value in summary["conditions"].items()))
    is_judged = summary["conditions"]["load"] == QUIET
    print(f"{summary['met']} of {summary['bounds']} bounds are met" if is_judged else f"no bound is judged: {summary['conditions']['load']}")


def summarised(results):
    rows = {key: row(results["runs"], *what) for key, what in ROWS.items()}
    for key, (_, _, measure, bound) in ROWS.items():
        missing = {"gradus": "", "peer": "", "ratio": "", "bound": bound_text(bound, measure), "result": "not measured"}
        rows[key] = {**missing, **(rows[key] or {})}
    about = conditions(results)
    if about["load"] != QUIET:  # the reader must not take such a result for a result of a quiet machine
        for found in rows.values():
            found["result"] = NOT_JUDGED if found["result"] in ("met", "not met") else found["result"]
    bounded = [found for found in rows.values() if found["bound"] != "no bound"]
    met = sum(found["result"] == "met" for found in bounded)
    return {"rows": rows, "conditions": about, "bounds": len(bounded), "met": met}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        summary = summarised(json.load(file))
    if "--table" in sys.argv:
        print_table(summary)
    else:
        print(json.dumps(summary))


if __name__ == "__main__":
    main()
