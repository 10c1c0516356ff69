"""umar-jamil: counts of its classes, of the parameters that nothing uses, and how far apart its positions are. It prints no output."""

import math
import re

import sizes

POSITIONS = 256


def sinusoids(position, width):
    angles = [position / 10000 ** (2 * pair / width) for pair in range(width // 2)]
    return [part for angle in angles for part in (math.sin(angle), math.cos(angle))]


def nearest(width):
    """The least distance of two positions. It depends on their difference alone, so the first is position 0."""
    return min(math.dist(sinusoids(0, width), sinusoids(step, width)) for step in range(1, POSITIONS))


def measured(text, _, __):
    default = {name: int(value) for name, value in re.findall(r"(d_model|N|d_ff) ?: ?int = (\d+)", text)}
    width, depth, inner = default["d_model"], default["N"], default["d_ff"]
    block = text[text.index("class DecoderBlock"):text.index("class Decoder(")]
    calls = [len(re.findall(rf"self\.{kind}_attention_block\(", block, re.IGNORECASE)) for kind in ("self", "cross")]
    unused = depth * 4 * sizes.linear(width, width) if not calls[1] else 0
    layers = sizes.layers(width, inner, depth, 2) + 2 * 2  # a final norm behind either stack
    return {"classes": len(re.findall(r"^class ", text, re.MULTILINE)),
            "calls_of_self_attention": calls[0], "calls_of_cross_attention": calls[1], "layers_parameters": layers,
            "unused_parameters": unused, "unused_percent": 100 * unused / layers, "nearest_positions": nearest(width),
            "positions": POSITIONS}
