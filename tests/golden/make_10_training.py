#!/usr/bin/env python3
"""Golden values of chapter 10: the output loss, Adam and SGD, the plateau schedule."""

import torch
from golden import FOLDER, normal, record, write

TARGET = torch.tensor([3, 1, 6, 4])  # of the judges' six rows the last two are spare


def smoothed_loss(t):
    logits = t["x"][:4] @ t["table"].T + t.get("bias", 0)
    loss = torch.nn.functional.cross_entropy(logits, TARGET, reduction="sum", label_smoothing=0.1)
    return {"loss": 0.25 * loss.reshape(1)}  # the judges' inverse_tokens


record("output_loss", {"x": normal(6, 4), "table": normal(7, 4)}, smoothed_loss)
record("output_loss_large", {"x": normal(6, 4, scale=400.0), "table": normal(7, 4)}, smoothed_loss)


def optimiser(name, make, decaying, clip=0.0):
    """One step number 3, from moments of ours, by torch.optim. Clipping is ours: clip_grad_norm_ adds 1e-6 to the norm."""
    n = 40
    w, m, root_v, g = normal(n), normal(n), normal(n), normal(n)
    norm = (g * g).sum()
    factor = min(1.0, clip / norm.sqrt().item()) if clip else 1.0
    parts = [torch.nn.Parameter(w[:decaying].clone()), torch.nn.Parameter(w[decaying:].clone())]
    step = make(parts)
    for part, a, b in ((parts[0], 0, decaying), (parts[1], decaying, n)):
        part.grad = factor * g[a:b]
        if name == "sgd":
            step.state[part]["momentum_buffer"] = m[a:b].clone()
        else:
            step.state[part] = {"step": torch.tensor(2.0), "exp_avg": m[a:b].clone(),
                                "exp_avg_sq": (root_v[a:b] ** 2).clone()}
    step.step()
    after = {"w_after": torch.cat([p.detach() for p in parts]), "v_after": root_v**2}
    if name == "sgd":
        after["m_after"] = torch.cat([step.state[p]["momentum_buffer"] for p in parts])
    else:
        after["m_after"] = torch.cat([step.state[p]["exp_avg"] for p in parts])
        after["v_after"] = torch.cat([step.state[p]["exp_avg_sq"] for p in parts])
    tensors = {"w": w, "m": m, "v": root_v, "g": g, "norm": norm.reshape(1), **after}
    tensors.update({"d" + k: torch.zeros_like(v) for k, v in tensors.items() if k in after or k == "norm"})
    write(FOLDER / f"{name}.safetensors", tensors)


RATE, DECAY, BETAS = 1e-3, 0.01, (0.9, 0.98)


def groups(parts):
    return [{"params": parts[:1], "weight_decay": DECAY}, {"params": parts[1:], "weight_decay": 0.0}]


optimiser("adam_decoupled", lambda p: torch.optim.AdamW(groups(p), lr=RATE, betas=BETAS, eps=1e-9), 25, clip=0.5)
optimiser("adam_coupled", lambda p: torch.optim.Adam(groups(p), lr=RATE, betas=BETAS, eps=1e-9), 40, clip=0.5)
optimiser("adam", lambda p: torch.optim.Adam(p, lr=RATE, betas=BETAS, eps=1e-9), 20)
optimiser("sgd", lambda p: torch.optim.SGD(groups(p), lr=RATE, momentum=0.9), 40)
optimiser("adam_epsilon", lambda p: torch.optim.Adam(p, lr=RATE, betas=BETAS, eps=1e-2), 20)


def plateau(rate, factor, patience, threshold):
    """The losses of 60 validations that fall, rise and stand still, and the rate after each of them."""
    falling = 4 * torch.exp(-torch.arange(60.0) / 12) + 1
    losses = falling + 0.02 * normal(60) * (torch.arange(60) % 7 == 0)
    losses[20:26] = losses[19]  # equal ones are no better
    losses[40:] = losses[40] * (1 - 4e-6 * torch.arange(20.0))  # better, but by less than the usual threshold
    weights = torch.nn.Parameter(torch.zeros(1))
    optimiser = torch.optim.SGD([weights], lr=rate)
    schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(optimiser, factor=factor, patience=patience, threshold=threshold)
    rates = []
    for loss in losses:
        schedule.step(loss.item())
        rates.append(optimiser.param_groups[0]["lr"])
    return losses, torch.tensor(rates)


SETTINGS = [(1.0, 0.5, 0, 1e-4), (1.0, 0.9, 2, 1e-4), (1e-5, 0.9, 10, 1e-4), (1.0, 0.1, 1, 0.0), (3e-8, 0.5, 0, 1e-4),
            (0.5, 0.7, 3, 0.05)]
losses, rates = zip(*(plateau(*setting) for setting in SETTINGS))
write(FOLDER / "plateau.safetensors", {"settings": torch.tensor(SETTINGS), "losses": torch.stack(losses),
                                       "rates": torch.stack(rates)})
record("output_loss_bias", {"x": normal(6, 4), "table": normal(7, 4), "bias": normal(7)}, smoothed_loss)
