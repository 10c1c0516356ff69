// What a number depends on, or what depends on it: shown while the pointer or the focus is on it.

const STEP = 1e-4;

const slope = (above, below) => Math.abs(above - below) / (2 * STEP);

// The size of the derivative of each computed number by the given number at `place`.
function feeds(desk, place) {
  const moved = desk.values.slice();
  moved[place] += STEP;
  const above = desk.lesson.run(moved, desk.way);
  moved[place] -= 2 * STEP;
  const below = desk.lesson.run(moved, desk.way);
  return above.map((value, i) => slope(value, below[i]));
}

// The sizes for all cells: cell => number between 0 and 1, relative to the largest.
export function influence(desk, cells, cell) {
  const sizes = new Map();
  const at = cell.tensor.first + cell.place;
  if (cell.tensor.isGiven) {
    const found = feeds(desk, at);
    for (const one of cells.all) if (!one.tensor.isGiven) sizes.set(one, found[one.tensor.first + one.place]);
  } else {
    const found = new Map();
    for (const one of cells.all) {
      const place = one.tensor.first + one.place;
      if (!one.tensor.isGiven) continue;
      if (!found.has(place)) found.set(place, feeds(desk, place)[at]);
      sizes.set(one, found.get(place));
    }
  }
  const largest = Math.max(0, ...[...sizes.values()].filter(Number.isFinite));
  return new Map([...sizes].map(([one, size]) => [one, largest > 1e-9 && Number.isFinite(size) ? size / largest : 0]));
}

// Colours the cells while one of them is pointed at. Returns a function that ends it.
export function watch(desk, cells, root) {
  let timer = 0;
  const clear = () => {
    clearTimeout(timer);
    for (const cell of cells.all) cell.element.style.removeProperty("--share");
  };
  const begin = (event) => {
    const cell = cells.of(event.target);
    clear();
    if (!cell) return;
    timer = setTimeout(() => {
      for (const [one, share] of influence(desk, cells, cell)) if (share > 1e-3) one.element.style.setProperty("--share", share.toFixed(3));
    }, 120);
  };
  root.addEventListener("pointerover", begin);
  root.addEventListener("pointerleave", clear);
  root.addEventListener("focusin", begin);
  root.addEventListener("focusout", clear);
  return clear;
}
