"""Chapter 07: the residual stream of the bundled model's encoder, as a road."""
from registry import picture
from svg import Picture

SENTENCE = "A dog runs through the snow."


def encoder_sizes(data):
    """Deviations: of the stream at the bottom and after each addition, of what each sublayer adds, and of the output."""
    stream, added, output = [], [], 0.0
    for line in data.gradus("explain", SENTENCE).split("\n"):
        words = line.split()
        if not words or "decoder." in line:
            continue
        if words[0] == "position" and not stream or words[0] == "add" and len(stream) <= len(added):
            stream.append(float(words[-1]))
        elif words[0] == "linear" and (words[1].endswith("self_attention.wo") or words[1].endswith("outer.w")):
            added.append(float(words[-1]))
        elif words[0] == "layer_norm":
            output = float(words[-1])
    return stream, added, output


@picture("chapters/07_encoder/pictures/stream-as-a-road.svg")
def stream_as_a_road(data):
    stream, added, output = encoder_sizes(data)
    step, middle, unit = 62, 200, 11.5
    p = Picture(640, 116 + step * (len(added) + 1), "The residual stream as a road",
                "From bottom to top the road grows wider. Each sublayer reads a normalised copy at its side and adds what it found.")
    base = p.height - 60  # the bottom of the road
    heights = [base - step * at for at in range(len(stream))]
    halves = [unit * size / 2 for size in stream]
    left, right = [(middle - half) for half in halves], [(middle + half) for half in halves]
    outline = [(left[0], base)]
    for at in range(1, len(stream)):
        outline += [(left[at - 1], heights[at] + 14), (left[at], heights[at] - 2)]
    outline += [(left[-1], heights[-1] - 34), (right[-1], heights[-1] - 34)]
    for at in range(len(stream) - 1, 0, -1):
        outline += [(right[at], heights[at] - 2), (right[at - 1], heights[at] + 14)]
    p.area(outline + [(right[0], base)], "forward", 0.22)
    p.line([(middle, base - 6), (middle, heights[-1] - 26)], "forward", 2.2, dashed=True)
    p.text(middle, base + 24, "words + positions", bold=True, anchor="middle")
    p.text(40, base + 46, f"“{SENTENCE}”", "soft", 15)
    p.text(22, 26, "size of", "soft", 15)
    p.text(22, 46, "the stream", "soft", 15)
    for at, size in enumerate(stream):
        p.text(64, heights[at] - (12 if at else -2), f"{size:.1f}", "ink", 16, True, anchor="end")
    for at, size in enumerate(added):
        sublayer(p, at, size, right[at], right[at + 1], heights[at], heights[at + 1])
    p.arrow([(108, heights[-1] - 20), (108, base - 4)], "backward", dashed=True)
    p.text(98, (heights[-1] + base) / 2, "backward: the gradient comes down the same road", "backward", 15, anchor="middle", turn=-90)
    top = heights[-1] - 34
    p.arrow([(middle, top - 2), (middle, top - 16)], "forward")
    p.box(middle - 66, top - 48, 132, 30, ["final layer norm"], "tile", "third", size=15)
    p.text(middle + 78, top - 28, f"the memory: size {output:.2f}", size=15)
    return p


def sublayer(p, at, size, leaves, joins, below, above):
    """Out of the road through a norm into the box, and back as an addition."""
    name = "feed-forward" if at % 2 else "self-attention"
    x, y = 404, above + 6
    p.arrow([(leaves + 2, y + 27), (308, y + 27)], "third")
    p.box(310, y + 16, 52, 22, ["norm"], "tile", "third", size=15)
    p.arrow([(364, y + 27), (x - 2, y + 27)], "third")
    p.box(x, y - 4, 130, 44, [name], "tile", "rule")
    p.arrow([(x - 2, y + 4), (joins + 2, y + 4)], "backward")
    p.text(x - 8, y - 1, f"adds {size:.1f}", "backward", 15, True, anchor="end")
    if at % 2 == 0:
        p.line([(x + 142, y + 40), (x + 148, y + 40), (x + 148, y - 4 - 62), (x + 142, y - 66)], "rule")
        p.text(x + 158, y - 8, f"layer {at // 2}", "soft", 15)
