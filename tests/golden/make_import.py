#!/usr/bin/env python3
"""Golden values of `gradus import`: tiny MarianMT models of transformers, in double precision, random and then trained a little.

Needs torch, transformers, sentencepiece (pip). Writes for each model the folder import_NAME: the five files that transformers' users have, and

    expected.safetensors    the batch, logits, loss and the gradient of every tensor, by transformers' own modules
    translations.json       texts, their ids by MarianTokenizer, and what `generate` finds with one beam and with four

The table of positions is computed again in double, because transformers rounds it to float.
"""

import json
import pathlib
import random
import warnings

import numpy as np
import sentencepiece
import torch
from transformers import MarianConfig, MarianMTModel, MarianTokenizer

from golden import write

warnings.filterwarnings("ignore")
TOP = pathlib.Path(__file__).parent
TOY = TOP.parent.parent / "chapters" / "11_translator" / "toy"
PAD, UNK, EOS = "<pad>", "<unk>", "</s>"


def learn(folder, side, language, kind):
    """A SentencePiece model of few pieces, with a rule to rewrite characters."""
    rules = folder / "rules.tsv"
    rules.write_text("FF21\t0041\n201C\t0022\nFB01\t0066 0069\n", encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(TOY / f"train.{language}"), model_prefix=str(folder / side), model_type=kind, vocab_size=150,
        normalization_rule_tsv=str(rules), minloglevel=2, num_threads=1, character_coverage=1.0)
    (folder / f"{side}.model").rename(folder / f"{side}.spm")
    (folder / f"{side}.vocab").unlink()
    rules.unlink()
    model = sentencepiece.SentencePieceProcessor(model_file=str(folder / f"{side}.spm"))
    return [model.id_to_piece(i) for i in range(len(model)) if not (model.is_control(i) or model.is_unknown(i))]


def write_vocabulary(folder, kind):
    """Both sides' pieces in one list, as in opus-mt; some of the last are left out, so that a piece may have no id."""
    pieces = dict.fromkeys(learn(folder, "source", "en", kind) + learn(folder, "target", "de", kind))
    order = [EOS, UNK, ">>deu<<"] + sorted(pieces)[:-3] + [PAD]
    vocabulary = {piece: id for id, piece in enumerate(order)}
    (folder / "vocab.json").write_text(json.dumps(vocabulary, ensure_ascii=False), encoding="utf-8")
    return len(vocabulary)


def random_model(size, activation, tied, scale):
    config = MarianConfig(
        vocab_size=size, d_model=16, encoder_layers=2, decoder_layers=1, encoder_attention_heads=2, decoder_attention_heads=2,
        encoder_ffn_dim=24, decoder_ffn_dim=24, activation_function=activation, max_position_embeddings=80, scale_embedding=scale,
        pad_token_id=size - 1, decoder_start_token_id=size - 1, eos_token_id=0, forced_eos_token_id=None, dropout=0.1,
        share_encoder_decoder_embeddings=True, tie_word_embeddings=tied, attn_implementation="eager")
    model = MarianMTModel(config).double().eval()
    with torch.no_grad():
        for name, p in model.named_parameters():
            if p.requires_grad:
                p.copy_(torch.randn_like(p) * (0.2 if p.dim() == 1 else p.shape[1] ** -0.5) + (1 if "layer_norm.weight" in name else 0))
        model.final_logits_bias.normal_(0, 0.2)
        exact_positions(model)
    return model


def learn_a_little(model, tokenizer, steps=400):
    """So that translations differ and end: with random weights nearly all texts have the same one, without an end."""
    pairs = list(zip(*((TOY / f"train.{language}").read_text(encoding="utf-8").splitlines() for language in ("en", "de"))))
    draw = random.Random(3)
    optimiser = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=5e-3)
    for _ in range(steps):
        sources, targets = zip(*draw.sample(pairs, 24))
        source = tokenizer(list(sources), return_tensors="pt", padding=True)
        target = tokenizer(text_target=list(targets), return_tensors="pt", padding=True)
        labels = target.input_ids.masked_fill(target.attention_mask == 0, -100)
        optimiser.zero_grad()
        model(input_ids=source.input_ids, attention_mask=source.attention_mask, labels=labels).loss.backward()
        optimiser.step()
    optimiser.zero_grad()


def exact_positions(model):
    """transformers' table before it is rounded."""
    for stack in (model.model.encoder, model.model.decoder):
        places, width = stack.embed_positions.weight.shape
        angle = np.array([[p / np.power(10000, 2 * i / width) for i in range(width // 2)] for p in range(places)])
        table = torch.from_numpy(np.concatenate([np.sin(angle), np.cos(angle)], axis=1))
        assert torch.equal(stack.embed_positions.create_weight().double(), table.float().double())
        stack.embed_positions.weight.copy_(table)


def texts():
    lines = (TOY / "test.en").read_text(encoding="utf-8").splitlines() + (TOY / "valid.en").read_text(encoding="utf-8").splitlines()
    draw = random.Random(7)
    words = sorted({word for line in lines for word in line.split()})
    drawn = [" ".join(draw.choice(words) for _ in range(draw.randint(1, 9))) for _ in range(200 - 60 - 8)]
    special = [">>deu<< A dog runs.", ">>xyz<< A dog.", "\uff21 dog", "\u201cfi\ufb01\u201d", "  two   spaces ", "tab\tand no-break\u00a0space",
               "\u4e2d\u6587 unknown", ">> no code << here"]
    return lines[:60] + drawn + special


def translate(model, tokenizer, lines, beams):
    """The ids that generate finds, without the first and without what stands behind the end; of sums of log probabilities."""
    batch = tokenizer(lines, return_tensors="pt", padding=True)
    with torch.no_grad():
        found = model.generate(
            input_ids=batch.input_ids, attention_mask=batch.attention_mask, num_beams=beams, do_sample=False, max_length=41, min_length=2,
            length_penalty=0.0, suppress_tokens=[model.config.pad_token_id], early_stopping="never" if beams > 1 else False)
    found = [row[1:] for row in found.tolist()]
    return [row[:row.index(0) + 1] if 0 in row else row for row in found]


def gradients(model, tokenizer, lines):
    """One batch with padding: the loss is the mean over the targets' tokens."""
    source = tokenizer(lines, return_tensors="pt", padding=True)
    target = tokenizer(text_target=lines[::-1], return_tensors="pt", padding=True)
    labels = target.input_ids.masked_fill(target.attention_mask == 0, -100)
    model.final_logits_bias.requires_grad_(True)
    for table in (model.model.shared, model.model.encoder.embed_tokens, model.model.decoder.embed_tokens):
        table.padding_idx = None  # or the row with which the decoder begins would get no gradient
    out = model(input_ids=source.input_ids, attention_mask=source.attention_mask, labels=labels)
    out.loss.backward()
    tensors = {"source": source.input_ids * source.attention_mask - (1 - source.attention_mask), "labels": labels,
               "logits": out.logits.detach(), "loss": out.loss.detach().reshape(1)}
    for name, p in [*model.named_parameters(), ("final_logits_bias", model.final_logits_bias)]:
        if p.grad is not None:
            tensors["d " + name] = p.grad
    model.final_logits_bias.requires_grad_(False)
    return tensors


def make(name, kind, activation, tied, scale):
    folder = TOP / f"import_{name}"
    folder.mkdir(exist_ok=True)
    size = write_vocabulary(folder, kind)
    torch.manual_seed(len(name))
    model = random_model(size, activation, tied, scale)
    tokenizer = MarianTokenizer(str(folder / "source.spm"), str(folder / "target.spm"), str(folder / "vocab.json"))
    learn_a_little(model, tokenizer)
    model.save_pretrained(folder)
    (folder / "generation_config.json").unlink()
    lines = texts()
    write(folder / "expected.safetensors", gradients(model, tokenizer, lines[60:63]))
    one, four = translate(model, tokenizer, lines, 1), translate(model, tokenizer, lines, 4)
    rows = [{"text": text, "ids": tokenizer(text).input_ids, "greedy": a, "beam": b, "decoded": tokenizer.decode(a, skip_special_tokens=True)}
            for text, a, b in zip(lines, one, four)]
    (folder / "translations.json").write_text(json.dumps(rows, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    print(f"{name}: {size} pieces, {sum(len(a) > 0 and a[-1] == 0 for a in one)} and {sum(b[-1] == 0 for b in four)} of {len(rows)} end")


make("swish", "unigram", "swish", True, True)
make("relu", "bpe", "relu", False, False)
