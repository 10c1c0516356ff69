"""The model of the comparison in PyTorch, in two ways: as tutorials write it, and tuned. Both compute what gradus computes: pre-norm,
d128, f256, 4 heads, 4 + 4 layers, one table of words for embeddings and output, dropout 0.3 on embeddings and sublayers, 0.1 after the
activation, none on attention weights (PyTorch's fast attention has none on a processor)."""
import math

import torch
import torch.nn.functional as F
from torch import nn

WIDTH, INNER, HEADS, LAYERS, LONGEST = 128, 256, 4, 4, 256
RESIDUAL, ACTIVATION, SMOOTHING, PADDING = 0.3, 0.1, 0.1, 0
CHUNK = 1024  # rows of the tuned output layer


class TutorialAttention(nn.Module):
    """Four linear maps, a softmax, and a mask that is added by masked_fill."""

    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.out = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(4))

    def forward(self, x, memory, mask):
        split = lambda t: t.view(t.size(0), -1, HEADS, WIDTH // HEADS).transpose(1, 2)
        q, k, v = split(self.q(x)), split(self.k(memory)), split(self.v(memory))
        scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(WIDTH // HEADS)
        weights = torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1)
        return self.out(torch.matmul(weights, v).transpose(1, 2).contiguous().view(x.size(0), -1, WIDTH))


class TunedAttention(nn.Module):
    """One linear map for queries, keys and values, and PyTorch's own attention."""

    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.out = nn.Linear(WIDTH, WIDTH, bias=False)

    def forward(self, x, memory, mask):
        if x is memory:
            q, k, v = self.qkv(x).chunk(3, dim=-1)
        else:
            q = F.linear(x, self.qkv.weight[:WIDTH])
            k, v = F.linear(memory, self.qkv.weight[WIDTH:]).chunk(2, dim=-1)
        q, k, v = (t.view(t.size(0), -1, HEADS, WIDTH // HEADS).transpose(1, 2) for t in (q, k, v))
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.out(y.transpose(1, 2).reshape(x.size(0), -1, WIDTH))


class Layer(nn.Module):
    def __init__(self, attention, crosses):
        super().__init__()
        self.attention = attention()
        self.cross = attention() if crosses else None
        self.inner, self.outer = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(3 if crosses else 2))
        self.dropout, self.activation = nn.Dropout(RESIDUAL), nn.Dropout(ACTIVATION)

    def forward(self, x, mask, memory=None, memory_mask=None):
        n = self.norms[0](x)
        x = x + self.dropout(self.attention(n, n, mask))
        if self.cross is not None:
            x = x + self.dropout(self.cross(self.norms[1](x), memory, memory_mask))
        return x + self.dropout(self.outer(self.activation(torch.relu(self.inner(self.norms[-1](x))))))


class Transformer(nn.Module):
    def __init__(self, words, attention):
        super().__init__()
        self.table = nn.Embedding(words, WIDTH, padding_idx=PADDING)
        nn.init.normal_(self.table.weight, std=WIDTH ** -0.5)
        self.encoder = nn.ModuleList(Layer(attention, False) for _ in range(LAYERS))
        self.decoder = nn.ModuleList(Layer(attention, True) for _ in range(LAYERS))
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(2))
        self.dropout = nn.Dropout(RESIDUAL)
        place = torch.arange(LONGEST)[:, None] * torch.exp(torch.arange(0, WIDTH, 2) * (-math.log(10000) / WIDTH))
        self.register_buffer("positions", torch.stack([place.sin(), place.cos()], dim=2).reshape(LONGEST, WIDTH))
        self.register_buffer("past", torch.ones(LONGEST, LONGEST, dtype=torch.bool).tril())

    def embed(self, ids):
        return self.dropout(self.table(ids) * math.sqrt(WIDTH) + self.positions[:ids.size(1)])

    def forward(self, source, target):
        """The decoder's rows, (sentences, tokens, WIDTH)."""
        source_mask = (source != PADDING)[:, None, None, :]
        x = self.embed(source)
        for layer in self.encoder:
            x = layer(x, source_mask)
        memory, y = self.norms[0](x), self.embed(target)
        mask = (target != PADDING)[:, None, None, :] & self.past[:target.size(1), :target.size(1)]
        for layer in self.decoder:
            y = layer(y, mask, memory, source_mask)
        return self.norms[1](y)


class ChunkedLoss(torch.autograd.Function):
    """Output layer and smoothed cross-entropy, some rows at a time, with both gradients: the logits are never stored as a whole."""

    @staticmethod
    def forward(context, rows, table, words):
        gradient, table_gradient, loss = torch.empty_like(rows), torch.zeros_like(table), 0.0
        for first in range(0, rows.size(0), CHUNK):
            part, right = rows[first:first + CHUNK], words[first:first + CHUNK, None]
            probabilities = torch.log_softmax(part @ table.t(), dim=1)
            loss -= float((1 - SMOOTHING) * probabilities.gather(1, right).sum() + SMOOTHING * probabilities.mean(dim=1).sum())
            probabilities.exp_().sub_(SMOOTHING / table.size(0))
            probabilities.scatter_add_(1, right, torch.full_like(right, SMOOTHING - 1, dtype=rows.dtype))
            gradient[first:first + CHUNK] = probabilities @ table
            table_gradient.addmm_(probabilities.t(), part)
        context.save_for_backward(gradient / rows.size(0), table_gradient / rows.size(0))
        return rows.new_tensor(loss / rows.size(0))

    @staticmethod
    def backward(context, scale):
        gradient, table_gradient = context.saved_tensors
        return gradient * scale, table_gradient * scale, None


def tutorial_loss(model, rows, words):
    logits = F.linear(rows, model.table.weight)
    return F.cross_entropy(logits.view(-1, logits.size(-1)), words.view(-1), ignore_index=PADDING, label_smoothing=SMOOTHING)


def tuned_loss(model, rows, words):
    """No row of padding reaches the output layer."""
    flat = words.view(-1)
    real = (flat != PADDING).nonzero(as_tuple=True)[0]
    return ChunkedLoss.apply(rows.reshape(-1, WIDTH).index_select(0, real), model.table.weight, flat[real])


def trainer(words, tuned):
    """A function that does one step."""
    model = Transformer(words, TunedAttention if tuned else TutorialAttention)
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-3, betas=(0.9, 0.98), eps=1e-9, **({"fused": True} if tuned else {}))
    loss_of = tuned_loss if tuned else tutorial_loss

    def step(source, target):
        optimiser.zero_grad(set_to_none=True)
        loss = loss_of(model, model(source, target[:, :-1]), target[:, 1:].contiguous())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        return float(loss)

    return step
