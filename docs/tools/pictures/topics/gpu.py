"""Chapter 00, what a GPU does: grid, block, warp, thread; a sum over a warp; loads side by side and scattered."""
from registry import picture
from svg import Picture

FOLDER = "chapters/00_foundations/pictures"
LANES = 32  # of every NVIDIA GPU
BLOCK, BLOCKS = 128, 3  # threads of a block; blocks that are drawn
CHOSEN = 1, 37  # blockIdx.x and threadIdx.x of the thread that is picked out
CELL = 17


@picture(f"{FOLDER}/grid-block-warp.svg")
def grid_block_warp(data):
    p = Picture(640, 330, "Grid, block, warp, thread", "A grid of three blocks. One block is drawn large: four warps of 32 threads each.")
    block, thread = CHOSEN
    p.text(14, 28, "grid", bold=True)
    p.text(64, 28, "all threads of a launch", "soft", 15)
    for at in range(BLOCKS):
        x = 14 + at * 204
        p.rect(x, 42, 196, 40, "tile", "forward" if at == block else "rule", stroke=2.4 if at == block else 1.2)
        p.text(x + 98, 68, f"blockIdx.x = {at}", "forward" if at == block else "ink", 16, at == block, anchor="middle")
    left, top = 82, 150
    for edge, target in ((14 + block * 204, 14), (14 + block * 204 + 196, 626)):
        p.line([(edge, 82), (target, 104)], "forward", 1.4, dashed=True)
    p.rect(14, 104, 612, 166, "none", "forward", stroke=2)
    p.text(26, 130, "block", bold=True)
    p.text(84, 130, f"{BLOCK} threads that can work together: {BLOCK // LANES} warps of {LANES} lanes", "soft", 15)
    for at in range(BLOCK):
        warp, lane = divmod(at, LANES)
        x, y = left + lane * (CELL - 0.2), top + warp * 28
        p.rect(x, y, CELL - 2, 20, "forward", radius=2, opacity=1 if at == thread else 0.5 if warp == thread // LANES else 0.18)
    for warp in range(BLOCK // LANES):
        chosen = warp == thread // LANES
        p.text(left - 8, top + warp * 28 + 15, f"warp {warp}", "forward" if chosen else "soft", 15, chosen, anchor="end")
    x = left + thread % LANES * (CELL - 0.2) + CELL / 2
    p.arrow([(x, 290), (x, top + thread // LANES * 28 + 22)], "ink")
    p.text(x - 20, 306, f"threadIdx.x = {thread}: lane {thread % LANES} of warp {thread // LANES}", bold=True)
    p.text(626, 306, f"global: {block} × {BLOCK} + {thread} = {block * BLOCK + thread}", "soft", 15, anchor="end")
    return p


@picture(f"{FOLDER}/sum-over-a-warp.svg")
def sum_over_a_warp(data):
    offsets = [LANES >> step for step in range(1, LANES.bit_length())]
    top, high, beside = 72, 62, lane_x(LANES) + 12
    p = Picture(640, top + high * len(offsets) + 66, f"A sum over the {LANES} lanes of a warp in {len(offsets)} exchanges",
                "Each row shows all lanes after one exchange. Lines lead from the two lanes whose values are added.")
    p.text(14, 26, "lane", "soft", 15)
    for lane in (0, 8, 16, 24, 31):
        p.text(lane_x(lane) + 6.5, 54, str(lane), "soft", 15, anchor="middle")
    p.text(beside, 54, "each lane holds", "soft", 15)
    reaches = reaching_lane_0(offsets)
    for step, offset in enumerate(offsets):
        exchange(p, top + step * high + 16, high - 18, offset, reaches[step + 1])
        p.text(beside, top + step * high + 44, f"lane xor {offset}", "forward", 15)
    for step, reach in enumerate(reaches):
        y, last = top + step * high, step == len(offsets)
        for lane in range(LANES):
            p.rect(lane_x(lane), y, 13, 16, "tile", radius=2)
            p.rect(lane_x(lane), y, 13, 16, "forward", radius=2, opacity=(step + 1) / len(reaches) if lane in reach else 0.15)
        p.text(beside, y + 14, f"a sum of {1 << step}" if step else "its own value", size=15, bold=last)
    p.text(14, p.height - 16, "blue: what reaches lane 0. Every other lane ends with the same sum.", "forward", 15)
    return p


def lane_x(lane):
    return 14 + lane * 15


def reaching_lane_0(offsets):
    """The lanes whose values reach lane 0, before each exchange and at the end."""
    reaches = [{0}]
    for offset in reversed(offsets):
        reaches.insert(0, reaches[0] | {lane ^ offset for lane in reaches[0]})
    return reaches


def exchange(p, y, high, offset, lit):
    """Lines to each lane from itself and from the one that it exchanges with; those of the lanes `lit` lie on top."""
    for lane in sorted(range(LANES), key=lambda lane: lane in lit):
        for source in (lane, lane ^ offset):
            ends = [(lane_x(source) + 6.5, y), (lane_x(lane) + 6.5, y + high)]
            p.line(ends, *(("forward", 1.6) if lane in lit else ("rule", 1)), opacity=1 if lane in lit else 0.6)


@picture(f"{FOLDER}/coalesced-and-scattered.svg")
def coalesced_and_scattered(data):
    p = Picture(640, 344, "Coalesced and scattered loads",
                "The same matrix twice. On the left the threads of a warp read one row, on the right they read one column.")
    rows, cell, high, top = 8, 8.6, 18, 98
    sides = (("coalesced", "neighbours take neighbouring columns"), ("scattered", "neighbours take neighbouring rows"))
    for at, (name, meaning) in enumerate(sides):
        left = 14 + at * 330
        kind = "backward" if at else "forward"
        p.text(left, 28, name, kind, 16, True)
        p.text(left, 52, meaning, "soft", 15)
        for row in range(rows):
            y = top + row * (high + 4)
            for column in range(LANES):
                read = column == 0 if at else row == 0
                p.rect(left + column * cell, y, cell - 1.2, high, kind if read else "rule", radius=1, opacity=1 if read else 0.35)
            if at or row == 0:
                p.rect(left - 3, y - 2, LANES * cell + 5, high + 4, "none", kind, radius=3, stroke=1.6)
        p.text(left, top + rows * (high + 4) + 16, "… and more rows", "soft", 15)
    p.text(14, 84, "lane 0", "forward", 15)
    p.text(14 + LANES * cell, 84, "lane 31", "forward", 15, anchor="end")
    p.text(344, 84, "lane 0, 1, 2, … below each other", "backward", 15)
    p.text(14, p.height - 18, f"{LANES} numbers in one read", "forward", 16, True)
    p.text(344, p.height - 18, f"{LANES} numbers in {LANES} reads", "backward", 16, True)
    return p
