// What a number depends on, or what depends on it: shown while the pointer or the focus is on it.

const STEP = 1e-4;
const TURN_MS = 12; // the page may draw after so much work

// The size of the derivative of each computed number by the given number at `place`; of a switch, what it changes.
function feeds(desk, place, isSwitch = false) {
  const now = desk.values[place];
  const [low, high] = isSwitch ? [0, 1] : [now - STEP, now + STEP];
  const at = (value) => {
    const moved = desk.values.slice();
    moved[place] = value;
    return desk.lesson.run(moved, desk.way);
  };
  const below = at(low);
  return at(high).map((value, i) => Math.abs(value - below[i]) / (high - low));
}

// The derivatives of an output by all given numbers are its gradient: one backward pass of the right code, from a one at this output.
function gradientOf(desk, { tensor, place }) {
  const { lesson } = desk;
  const values = desk.values.slice();
  for (const one of lesson.given) if (one.part === "seed") values.fill(0, one.first, one.first + one.size);
  values[lesson.tensors.get(`d${tensor.name}`).first + place] = 1;
  const computed = lesson.run(values);
  return lesson.given.flatMap((one) => {
    const gradient = lesson.tensors.get(`d${one.name}`);
    return gradient ? [...computed.slice(gradient.first, gradient.first + gradient.size)].map(Math.abs) : Array(one.size).fill(0);
  });
}

// The same of any computed number by finite differences, in turns: `rest` waits for the page, and is true if nobody waits for the result.
async function slopesOf(desk, { tensor, place }, rest) {
  const found = [];
  let begin = performance.now();
  while (found.length < desk.values.length) {
    found.push(feeds(desk, found.length)[tensor.first + place]);
    if (performance.now() - begin < TURN_MS) continue;
    if (await rest()) return null;
    begin = performance.now();
  }
  return found;
}

// The sizes for the cells that depend on `cell`, or on which it depends: cell => number between 0 and 1. Null if it is no longer wanted.
async function influence(desk, cells, cell, rest) {
  const { isGiven, isSwitch, first, part } = cell.tensor;
  const sizes = isGiven ? feeds(desk, first + cell.place, isSwitch) : part === "output" ? gradientOf(desk, cell) : await slopesOf(desk, cell, rest);
  if (!sizes) return null;
  const others = cells.all.filter((one) => one.tensor.isGiven !== isGiven);
  const size = (one) => sizes[one.tensor.first + one.place];
  const largest = Math.max(1e-9, ...others.map(size).filter(Number.isFinite));
  return new Map(others.map((one) => [one, Number.isFinite(size(one)) ? size(one) / largest : 0]));
}

// Colours the cells while one of them is pointed at. Returns a function that ends it.
export function watch(desk, cells, root) {
  let timer = 0;
  let wanted = null;
  const clear = () => {
    clearTimeout(timer);
    wanted = null;
    for (const cell of cells.all) cell.element.style.removeProperty("--share");
  };
  const colour = async (cell) => {
    const rest = () => new Promise((resolve) => { setTimeout(() => resolve(wanted !== cell), 0); });
    const shares = await influence(desk, cells, cell, rest);
    if (!shares || wanted !== cell) return;
    for (const [one, share] of shares) if (share > 1e-3) one.element.style.setProperty("--share", share.toFixed(3));
  };
  const begin = (event) => {
    const cell = cells.of(event.target);
    clear();
    if (!cell || cell.words) return;
    wanted = cell;
    timer = setTimeout(() => colour(cell), 120);
  };
  root.addEventListener("pointerover", begin);
  root.addEventListener("pointerleave", clear);
  root.addEventListener("focusin", begin);
  root.addEventListener("focusout", clear);
  return clear;
}
