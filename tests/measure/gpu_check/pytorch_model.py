"""The base model in PyTorch's usual style: pre-norm, tied tables, padded batches, attention in one call.

`sizes` has width, heads, inner, layers, vocab, dropout and attention_dropout. Sizes in comments: B sentences, S and T source and target
length with padding, D width, H heads, Dk head width.
"""
import math

import torch
import torch.nn.functional as F
from torch import nn

PAD = 0
NO_TARGET = -100  # the target that cross_entropy ignores


class Attention(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.heads, self.rate = sizes.heads, sizes.attention_dropout
        self.input = nn.Linear(sizes.width, 3 * sizes.width, bias=False)  # q, k and v, packed as we pack them
        self.output = nn.Linear(sizes.width, sizes.width, bias=False)

    def forward(self, x, memory=None, mask=None, causal=False):
        """x (B, T, D) attends to itself, or to memory (B, S, D); mask (B, 1, 1, S) is true for words."""
        B, T, D = x.shape
        if memory is None:
            packed = self.input(x).chunk(3, -1)
        else:
            packed = F.linear(x, self.input.weight[:D]), *F.linear(memory, self.input.weight[D:]).chunk(2, -1)
        q, k, v = (z.view(B, -1, self.heads, D // self.heads).transpose(1, 2) for z in packed)  # (B, H, T or S, Dk)
        y = F.scaled_dot_product_attention(q, k, v, mask, self.rate if self.training else 0.0, causal)
        return self.output(y.transpose(1, 2).reshape(B, T, D))


class FeedForward(nn.Sequential):
    def __init__(self, sizes):
        super().__init__(nn.Linear(sizes.width, sizes.inner), nn.ReLU(), nn.Dropout(sizes.dropout),
                         nn.Linear(sizes.inner, sizes.width))


class EncoderLayer(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.attention, self.feed_forward = Attention(sizes), FeedForward(sizes)
        self.norms = nn.ModuleList(nn.LayerNorm(sizes.width) for _ in range(2))
        self.drop = nn.Dropout(sizes.dropout)

    def forward(self, x, mask):
        x = x + self.drop(self.attention(self.norms[0](x), mask=mask))
        return x + self.drop(self.feed_forward(self.norms[1](x)))


class DecoderLayer(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.self_attention, self.cross_attention, self.feed_forward = Attention(sizes), Attention(sizes), FeedForward(sizes)
        self.norms = nn.ModuleList(nn.LayerNorm(sizes.width) for _ in range(3))
        self.drop = nn.Dropout(sizes.dropout)

    def forward(self, x, memory, mask):
        x = x + self.drop(self.self_attention(self.norms[0](x), causal=True))  # padding comes last, so no word attends to it
        x = x + self.drop(self.cross_attention(self.norms[1](x), memory, mask))
        return x + self.drop(self.feed_forward(self.norms[2](x)))


class Transformer(nn.Module):
    def __init__(self, sizes, longest=256):
        super().__init__()
        self.embedding = nn.Embedding(sizes.vocab, sizes.width)
        nn.init.normal_(self.embedding.weight, std=sizes.width ** -0.5)
        self.drop = nn.Dropout(sizes.dropout)
        self.encoder = nn.ModuleList(EncoderLayer(sizes) for _ in range(sizes.layers))
        self.decoder = nn.ModuleList(DecoderLayer(sizes) for _ in range(sizes.layers))
        self.norms = nn.ModuleList(nn.LayerNorm(sizes.width) for _ in range(2))
        angles = torch.arange(longest)[:, None] / 10000 ** (torch.arange(0, sizes.width, 2) / sizes.width)
        self.register_buffer("positions", torch.stack([angles.sin(), angles.cos()], -1).flatten(1), persistent=False)

    def embed(self, ids):
        return self.drop(self.embedding(ids) * math.sqrt(self.embedding.embedding_dim) + self.positions[:ids.shape[1]])

    def forward(self, source, decoder_input, target):
        """The loss: label-smoothed cross-entropy, mean over the words of target."""
        mask = (source != PAD)[:, None, None, :]
        x, y = self.embed(source), self.embed(decoder_input)
        for layer in self.encoder:
            x = layer(x, mask)
        x = self.norms[0](x)
        for layer in self.decoder:
            y = layer(y, x, mask)
        logits = F.linear(self.norms[1](y), self.embedding.weight)
        return F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=NO_TARGET, label_smoothing=0.1)
