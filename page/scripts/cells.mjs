// The numbers of a page as elements: given ones are fields, computed ones are texts. All places that show the same number change together.
import { element } from "../../app/serve/page/element.mjs";
import { differ } from "./desk.mjs";
import { numberField } from "./field.mjs";
import { formatOf, sentence, whole } from "./number.mjs";

// "x, cat, 2": tensor, row, column
function name(tensor, place, label) {
  const columns = tensor.shape.at(-1);
  const row = tensor.shape.length === 1 ? "" : `, ${label || `row ${Math.floor(place / columns) + 1}`}`;
  return `${tensor.name}${row}, ${(place % columns) + 1}`;
}

// A number that has just changed is seen at once.
function flash(made) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  made.animate([{ background: "var(--link)", color: "var(--paper)" }, {}], { duration: 700, easing: "ease-out" });
}

export class Cells {
  // `change(place, value, isDone)` hears what a reader types into the given number at `place`; isDone when the field is left.
  constructor(desk, change) {
    Object.assign(this, { desk, change, all: [] });
  }

  // The element of a piece of block.mjs; `label` is the word before it in its row, `block` the element that holds the text.
  made({ tensor, place, text, lead, words, isSentence }, label, block) {
    const cell = { tensor, place, block, format: formatOf(text), width: lead + text.length, name: name(tensor, place, label), words, isSentence };
    cell.element = tensor.isSwitch ? this.toggle(cell) : tensor.isGiven ? this.field(cell) : element("span", { className: `live-number live-${tensor.part}` });
    cell.element.style.setProperty("--width", cell.width);
    cell.element.style.setProperty("--lead", Math.min(lead, 1)); // the column before it is never marked
    cell.element.classList.toggle("live-word", Boolean(words));
    cell.element.dataset.live = `${tensor.name}.${place}`;
    this.all.push(cell);
    return cell.element;
  }

  field(cell) {
    const place = cell.tensor.first + cell.place;
    const input = numberField({
      name: cell.name, className: `live-number live-field live-${cell.tensor.part}`, event: "input", now: () => this.desk.values[place], take: (value) => this.change(place, value, false),
    });
    input.addEventListener("blur", () => {
      input.removeAttribute("aria-invalid");
      this.change(place, this.desk.values[place], true);
    });
    input.addEventListener("keydown", (event) => this.key(event, input, place));
    return input;
  }

  // A number that is 1 or 0.
  toggle(cell) {
    const place = cell.tensor.first + cell.place;
    return element("button", {
      className: `live-number live-field live-${cell.tensor.part}`, type: "button", role: "switch", "aria-label": cell.name,
      onclick: () => this.change(place, this.desk.values[place] >= 0.5 ? 0 : 1, true),
    });
  }

  // Up and down change a number by a tenth, with shift by one; Escape brings back the number of the page; Enter is done.
  key(event, input, place) {
    const sign = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (sign) {
      const value = Number((this.desk.values[place] + sign * (event.shiftKey ? 1 : 0.1)).toPrecision(12));
      input.value = whole(value);
      this.change(place, value, false);
    } else if (event.key === "Escape") {
      input.value = whole(this.desk.lesson.start[place]);
      this.change(place, this.desk.lesson.start[place], false);
    } else if (event.key === "Enter") {
      input.select();
    } else {
      return;
    }
    event.preventDefault();
  }

  value({ tensor, place }) {
    return (tensor.isGiven ? this.desk.values : this.desk.computed)[tensor.first + place];
  }

  // As the page prints it.
  text(cell) {
    const { tensor, words } = cell;
    if (cell.isSentence) return sentence(this.desk.computed.slice(tensor.first, tensor.first + tensor.size), words);
    return words ? words[this.value(cell)] : cell.format(this.value(cell));
  }

  isChanged({ tensor, place, isSentence }) {
    const [now, start] = tensor.isGiven ? [this.desk.values, this.desk.lesson.start] : [this.desk.computed, this.desk.atStart];
    const at = tensor.first + place;
    return Array.from({ length: isSentence ? tensor.size : 1 }, (_, i) => differ(now[at + i], start[at + i])).some(Boolean);
  }

  draw(cell) {
    const text = this.text(cell);
    const { element: made } = cell;
    made.classList.toggle("live-changed", this.isChanged(cell));
    if (cell.tensor.isSwitch) {
      made.textContent = text;
      made.setAttribute("aria-checked", this.value(cell) >= 0.5);
      return;
    }
    if (cell.tensor.isGiven) {
      if (document.activeElement !== made || !made.isConnected) made.value = text;
      return;
    }
    const value = cell.isSentence ? text : this.value(cell);
    if (cell.drawn !== undefined && (cell.isSentence ? cell.drawn !== value : differ(cell.drawn, value))) flash(made);
    cell.drawn = value;
    made.textContent = text;
    if (made.getAttribute("role")) made.setAttribute("aria-label", `${cell.name}: ${text}`);
  }

  drawAll() {
    this.all.forEach((cell) => this.draw(cell));
  }

  // How many different numbers are changed: by the reader, and computed ones.
  changed() {
    const names = { given: new Set(), computed: new Set() };
    for (const cell of this.all) {
      if (this.isChanged(cell)) names[cell.tensor.isGiven ? "given" : "computed"].add(cell.element.dataset.live);
    }
    return { given: names.given.size, computed: names.computed.size };
  }

  of(made) {
    return this.all.find((cell) => cell.element === made);
  }
}
