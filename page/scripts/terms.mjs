// A computed number that is pointed at, or has the focus, shows the terms of its formula.
import { differ } from "./desk.mjs";
import { element } from "../../app/serve/page/element.mjs";
import { formulaOf, rowAndColumn } from "./formula.mjs";
import { shown } from "./number.mjs";

const HIDE_MS = 150; // so that the pointer can reach the box
const ARROWS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

const SUBSCRIPTS = { k: "ₖ", m: "ₘ", n: "ₙ" };

// "Σₖ(x[i,k]·w[k,j]) + b[j]"
const inLetters = (formula) => formula.replace(/sum\((\w) < \d+: /g, (_, index) => `Σ${SUBSCRIPTS[index] ?? index}(`).replaceAll(" * ", "·");

// The formula and what its "where" explains.
function letters(entry) {
  const { is, where = {} } = typeof entry === "string" ? { is: entry } : entry;
  return [inLetters(is), ...Object.entries(where).map(([name, one]) => `${name} = ${typeof one === "string" ? inLetters(one) : one.join(", ")}`)];
}

// "y, cat, 2", its formula in letters and in numbers; null if the description has none. With a mistake in the code they may differ.
export function terms(desk, entry, cell) {
  if (entry === undefined) return null;
  const value = (tensor, place) => (tensor.isGiven ? desk.values : desk.computed)[tensor.first + place];
  const [i, j] = rowAndColumn(cell.tensor, cell.place);
  const found = formulaOf(desk.lesson, entry, value, (x) => shown(x, 2)).at(i, j);
  const made = value(cell.tensor, cell.place);
  const lines = [...letters(entry), `= ${found.text}`, `= ${shown(found.value, 4)}`];
  if (differ(found.value, made) && Math.abs(found.value - made) > 1e-9) lines.push(`The code gives ${shown(made, 4)}.`);
  return { name: cell.name, lines };
}

class Box {
  constructor(root) {
    this.element = element("div", { className: "live-terms", id: "live-terms", role: "tooltip", hidden: true });
    root.append(this.element);
    this.element.addEventListener("pointerenter", () => clearTimeout(this.timer));
    this.element.addEventListener("pointerleave", () => this.leave());
  }

  show({ name, lines }, beside) {
    clearTimeout(this.timer);
    this.element.replaceChildren(element("strong", { textContent: name }), ...lines.map((line) => element("div", { textContent: line })));
    this.element.hidden = false;
    const [at, own] = [beside.getBoundingClientRect(), this.element.getBoundingClientRect()];
    const isAbove = at.bottom + own.height + 8 > innerHeight && at.top > own.height + 8;
    this.element.style.left = `${Math.max(4, Math.min(at.left, document.documentElement.clientWidth - own.width - 4))}px`;
    this.element.style.top = `${isAbove ? at.top - own.height - 4 : at.bottom + 4}px`;
  }

  hide() {
    clearTimeout(this.timer);
    this.element.hidden = true;
  }

  leave() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.hide(), HIDE_MS);
  }
}

// The computed numbers of a block take the focus in turn: the first by tab, the others by arrows.
function steppable(cells) {
  cells.forEach(({ element: made }, n) => {
    made.tabIndex = n === 0 ? 0 : -1;
    made.setAttribute("role", "button");
    made.setAttribute("aria-describedby", "live-terms");
    made.addEventListener("keydown", (event) => {
      if (!ARROWS[event.key]) return;
      event.preventDefault();
      cells[n + ARROWS[event.key]]?.element.focus();
    });
  });
}

// Shows the terms of the numbers of `cells` inside `root`. Returns a function that hides them.
export function explain(desk, cells, formulas, root) {
  const box = new Box(root);
  const entry = (cell) => (cell && !cell.tensor.isGiven ? formulas[cell.tensor.name] : undefined);
  for (const block of new Set(cells.all.map((cell) => cell.block))) {
    steppable(cells.all.filter((cell) => cell.block === block && entry(cell) !== undefined));
  }
  const show = (target) => {
    const cell = cells.of(target);
    const found = terms(desk, entry(cell), cell);
    if (found) box.show(found, cell.element);
    return found !== null;
  };
  const begin = ({ target }) => { if (!show(target) && !target.closest?.(".live-terms")) box.leave(); };
  for (const event of ["pointerover", "focusin", "click"]) root.addEventListener(event, begin);
  for (const event of ["pointerleave", "focusout"]) root.addEventListener(event, () => box.leave());
  root.addEventListener("keydown", (event) => {
    if (event.key === "Escape") box.hide();
    else if ((event.key === "Enter" || event.key === " ") && show(event.target)) event.preventDefault();
  });
  return () => box.hide();
}
