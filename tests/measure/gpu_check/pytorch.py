#!/usr/bin/env python3
"""Times a training step of the same model on the same batches in PyTorch, written in PyTorch's usual style.

    tests/measure/gpu_check/pytorch.py [RESULT.json]     writes one section, "pytorch"; tests/measure/gpu_check/gpu_result.py --join puts it beside gpu_check's
        --ids FILE          sentences of a file of ids (gradus data --ids), else the made ones of `gpu_check time`
        --repetitions N     of each measurement [11]
        --limit SECONDS     no new measurement is begun after that time [600]
        --device cpu --tiny a try without a GPU

Batches hold the sentences of gpu_check's, padded; "sorted" ones are made of all sentences in the order of their length, so that there
is little padding. They lie on the GPU before the clock starts, and no step waits for its loss: both is in PyTorch's favour.
Shapes are declared dynamic, so that one compilation serves all batches; "graphs" is torch.compile's mode reduce-overhead. "whole" is eager code, of
which a CUDA graph for each batch replays the whole step: forward, backward, clipping and Adam. gradus records its steps in the same way.
"""
import argparse
import datetime
import itertools
import json
import math
import time
from pathlib import Path

import torch
from torch import nn

from pytorch_model import NO_TARGET, PAD, Transformer

BOS, EOS, MARKS = 2, 3, 4


class Sizes:
    def __init__(self, tiny):
        self.width, self.heads, self.inner, self.layers = (8, 2, 16, 1) if tiny else (128, 4, 512, 4)
        self.vocab = 40 if tiny else 6000
        self.tokens = [24, 40] if tiny else [4096, 8192, 25000]
        self.batches = 2 if tiny else 8
        self.square = 8 if tiny else 4096
        self.dropout, self.attention_dropout = 0.3, 0.15


# The batches ----------------------------------------------------------------------------------------------------------


def made_pairs(count, vocab):
    """The sentences of gpu_check: see its corpus.cpp."""
    state = 1

    def below(n):
        nonlocal state
        state = (1103515245 * state + 12345) % 2 ** 31
        return (state >> 16) % n

    pairs = []
    for _ in range(count):
        length = 7 + below(6) + below(6) + below(6)
        if below(32) == 0:
            length += below(26)
        of_target = length - 3 + below(4) + below(4)
        pairs.append(tuple([MARKS + below(vocab - MARKS) for _ in range(n)] for n in (length, of_target)))
    return pairs


def read_pairs(path):
    """The part [train] of a file of ids, and the size of its vocabulary."""
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    first = lines.index("[train]") + 1
    pairs = []
    for line in lines[first:]:
        if line.startswith("["):
            break
        pairs.append(tuple([int(word) for word in side.split()] for side in line.split("\t")))
    return pairs, max(int(word) for word in lines[1].split()[1:])


def cut(pairs, tokens):
    """Batches of at most that many source and target tokens, end marks included, in the order of the pairs."""
    batches, sums = [], [tokens, tokens]
    for pair in pairs:
        more = [len(side) + 1 for side in pair]
        sums = [a + b for a, b in zip(sums, more)]
        if max(sums) > tokens:
            batches.append([])
            sums = more
        batches[-1].append(pair)
    return batches


def padded(batch, device):
    """source, decoder input and target, (B, longest) each."""
    def table(rows, filler):
        longest = max(map(len, rows))
        return torch.tensor([row + [filler] * (longest - len(row)) for row in rows], device=device)

    return (table([s + [EOS] for s, _ in batch], PAD), table([[BOS] + t for _, t in batch], PAD),
            table([t + [EOS] for _, t in batch], NO_TARGET))


def batches_for(pairs, tokens, sizes, is_sorted, device):
    if is_sorted:
        every = cut(sorted(pairs, key=lambda pair: (len(pair[0]), len(pair[1]))), tokens)[:-1]
        chosen = every[::max(1, len(every) // sizes.batches)][:sizes.batches]
    else:
        chosen = cut(pairs, tokens)[:sizes.batches]
    return [padded(batch, device) for batch in chosen]


# The clock ------------------------------------------------------------------------------------------------------------


class Clock:
    """Like gpu_check's Stopwatch: wall-clock time of many calls and a wait."""

    def __init__(self, device, repetitions, seconds):
        self.device, self.repetitions, self.seconds = device, repetitions, seconds

    def run(self, call, times):
        began = time.perf_counter()
        for _ in range(times):
            call()
        if self.device == "cuda":
            torch.cuda.synchronize()
        return time.perf_counter() - began

    def row(self, call, parts, amount, unit):
        """The row of a result; the first call, which compiles, is listed separately."""
        first = self.run(call, 1)
        self.run(call, 3)
        times = max(1, math.ceil(self.seconds / self.run(call, 1)))
        found = sorted(self.run(call, times) / times / parts for _ in range(self.repetitions))
        median = found[len(found) // 2]
        numbers = {"median_ms": 1e3 * median, "least_ms": 1e3 * found[0], "rate": amount / median, "first_s": first}
        return {**{name: float(f"{x:.6g}") for name, x in numbers.items()}, "unit": unit}


def use_precision(name):
    torch.set_float32_matmul_precision("high" if name == "tf32" else "highest")


def ceilings(clock, sizes, options):
    rows = {}
    for name in ("fp32", "tf32", "bf16"):
        use_precision(name)
        kind = torch.bfloat16 if name == "bf16" else torch.float32
        a, b = (torch.rand(sizes.square, sizes.square, device=options.device).to(kind) for _ in range(2))
        rows[f"product {sizes.square} x {sizes.square} x {sizes.square}, {name}"] = clock.row(
            lambda a=a, b=b: torch.mm(a, b), 1, 2e-12 * sizes.square ** 3, "TFLOP/s")
    return rows


def training_step(sizes, options, how, name):
    """The function that takes a step with a batch, for a new model; and the model's number of parameters."""
    torch.manual_seed(1)
    use_precision(name)
    model = Transformer(sizes).to(options.device)
    is_whole = how == "whole"
    adam = torch.optim.Adam(model.parameters(), 1e-4, betas=(0.9, 0.98), eps=1e-9, fused=options.device == "cuda", capturable=is_whole)
    modes = {"compile": None, "graphs": "reduce-overhead"}
    loss_of = model if how in ("eager", "whole") else torch.compile(model, dynamic=True, mode=modes[how])

    def step(batch):
        if how == "graphs":
            torch.compiler.cudagraph_mark_step_begin()
        # A graph must not read weights that were cast, and cached, outside of it.
        with torch.autocast(options.device, torch.bfloat16, enabled=name == "bf16", cache_enabled=not is_whole):
            loss = loss_of(*batch)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
        adam.zero_grad()

    return step, sum(p.numel() for p in model.parameters())


def captured(step, batches):
    """A function that replays a step with each batch. The batches' tensors stay where they are, so they are the graphs' inputs."""
    side = torch.cuda.Stream()  # PyTorch wants some steps on another stream before a capture
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for batch in itertools.islice(itertools.cycle(batches), max(3, len(batches))):
            step(batch)
    torch.cuda.current_stream().wait_stream(side)
    graphs = []
    for batch in batches:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=graphs[0].pool() if graphs else None):  # they run one after the other, in this order
            step(batch)
        graphs.append(graph)
    return lambda: [graph.replay() for graph in graphs]


def time_steps(clock, pairs, sizes, options, section, write):
    """As long as there is time: for each precision first the modes that compile nothing, then the others."""
    began = time.monotonic()
    for name, how in itertools.product(("tf32", "bf16", "fp32"), ("eager", "whole", "compile", "graphs")):
        if how == "whole" and options.device != "cuda":
            continue
        torch.compiler.reset()
        step, section["parameters"] = training_step(sizes, options, how, name)
        for is_sorted, tokens in itertools.product((False, True), sizes.tokens):
            if time.monotonic() - began > options.limit:
                return
            batches = batches_for(pairs, tokens, sizes, is_sorted, options.device)
            words = sum(int((target != NO_TARGET).sum()) for _, _, target in batches) / len(batches)
            row = f"step, {tokens} tokens, {name}, {how}" + (", sorted" if is_sorted else "")
            try:
                all_steps = captured(step, batches) if how == "whole" else lambda: [step(batch) for batch in batches]
                found = clock.row(all_steps, len(batches), words, "target tokens/s")
                section["step"][row] = found
            except Exception as error:  # if a compiler fails, the other rows are still measured
                found = section["failed"][row] = str(error).split("\n")[0][:200]
            print(f"{row}: {found}", flush=True)
            write()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("result", nargs="?", type=Path)
    parser.add_argument("--ids")
    parser.add_argument("--repetitions", type=int)
    parser.add_argument("--limit", type=float, default=600)
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--tiny", action="store_true")
    options = parser.parse_args()
    sizes = Sizes(options.tiny)
    clock = Clock(options.device, options.repetitions or (1 if options.tiny else 11), 0 if options.tiny else 0.05)
    if options.ids:
        pairs, sizes.vocab = read_pairs(options.ids)
    else:
        pairs = made_pairs(sizes.batches * sizes.tokens[-1] // 10, sizes.vocab)
    pairs = [pair for pair in pairs if max(map(len, pair)) < sizes.tokens[0]]
    section = {"torch": torch.__version__, "batches": "padded, on the device; no step waits for its loss",
               "ceilings": {}, "step": {}, "failed": {}}
    device = torch.cuda.get_device_name() if options.device == "cuda" else "a processor"

    def write():
        if options.result:
            result = {"device": device, "date": datetime.date.today().isoformat(), "pytorch": section}
            unfinished = options.result.with_suffix(".new")
            unfinished.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
            unfinished.replace(options.result)  # whole, or as it was

    try:
        section["ceilings"] = ceilings(clock, sizes, options)
    except Exception as error:  # the steps are still measured
        section["failed"]["ceilings"] = str(error).split("\n")[0][:200]
    write()
    time_steps(clock, pairs, sizes, options, section, write)
    write()


if __name__ == "__main__":
    main()
