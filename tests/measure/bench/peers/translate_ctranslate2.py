#!/usr/bin/env python3
"""The speed of CTranslate2, measured as `gradus bench` measures, and printed in the same form.

    translate_ctranslate2.py MODEL TEXT --type float32|int8 [--threads N] [--rounds N] [--alone N]

MODEL is a folder that `gradus export --ctranslate2` wrote. Text goes in and text comes out, as in gradus: the pieces are made by
SentencePiece. Batches of several threads are translated by as many workers of one thread each, which is faster than threads that share a
batch. A batch has at most 48 sentences and about 2,048 tokens, and every worker gets as many batches as the others. SentencePiece takes as
many threads as the search.
"""
import argparse
import json
import statistics
import time

import ctranslate2
import sentencepiece

import peak
import texts

LONGEST = 200  # tokens of a translation, as there


class Translator:
    def __init__(self, folder, compute_type, workers):
        self.model = ctranslate2.Translator(folder, device="cpu", compute_type=compute_type, inter_threads=workers, intra_threads=1)
        self.workers = workers
        self.pieces = sentencepiece.SentencePieceProcessor(model_file=f"{folder}/subwords.model")

    def translate(self, sentences, beam):
        """The pieces of each translation; their text is made, too."""
        pieces = self.pieces.encode(sentences, out_type=str, num_threads=self.workers)
        size = texts.batch_size([len(one) for one in pieces], self.workers)
        found = self.model.translate_batch(pieces, beam_size=beam, max_batch_size=size,
                                           max_decoding_length=LONGEST, min_decoding_length=1, length_penalty=1)
        best = [one.hypotheses[0] for one in found]
        self.pieces.decode(best, num_threads=self.workers)
        return best


class Samples:
    def __init__(self):
        self.seconds, self.processor = [], []

    def measure(self, counts, work):
        start, processor = time.perf_counter(), time.process_time()
        result = work()
        if counts:
            self.seconds.append(time.perf_counter() - start)
            self.processor.append(time.process_time() - processor)
        return result


def spread(values):
    return {"median": statistics.median(values), "least": min(values), "most": max(values)}


def main():
    a = argparse.ArgumentParser()
    a.add_argument("model")
    a.add_argument("text")
    a.add_argument("--type", default="float32")
    a.add_argument("--threads", type=int, default=1)
    a.add_argument("--rounds", type=int, default=1)
    a.add_argument("--alone", type=int, default=50)
    o = a.parse_args()
    with open(o.text, encoding="utf-8") as file:
        sentences = file.read().splitlines()
    alone = texts.spread_evenly(sentences, o.alone)
    batch, single, loading = {1: Samples(), 5: Samples()}, {1: Samples(), 5: Samples()}, Samples()
    many, one = Translator(o.model, o.type, o.threads), Translator(o.model, o.type, 1)
    tokens = {}
    for number in range(o.rounds + 1):
        counts = number > 0
        for _ in range(5):  # as gradus bench
            loading.measure(counts, lambda: Translator(o.model, o.type, 1))
        for beam in (1, 5):
            found = batch[beam].measure(counts, lambda: many.translate(sentences if counts else sentences[:100], beam))
            tokens[beam] = sum(len(pieces) + 1 for pieces in found)
            single[beam].measure(counts, lambda: [one.translate([s], beam) for s in (alone if counts else alone[:10])])
    timed = [single[1], single[5]]
    print(json.dumps({
        "version": ctranslate2.__version__,
        "loading_ms": spread([1e3 * s for s in loading.seconds]),
        "searches": [{
            "beam_size": beam,
            "tokens_per_sentence": tokens[beam] / len(sentences),
            "sentences_per_second": spread([len(sentences) / s for s in batch[beam].seconds]),
            "ms_per_sentence_alone": spread([1e3 * s / len(alone) for s in single[beam].seconds])} for beam in (1, 5)],
        "processor_share": sum(sum(s.processor) for s in timed) / sum(sum(s.seconds) for s in timed),
        "peak_memory_mb": peak.memory_mb()}))


if __name__ == "__main__":
    main()
