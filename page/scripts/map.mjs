// The model as a map: open a box, and see what comes in, what goes out and its parameters, each with its gradient.
import { element } from "../../app/serve/page/element.mjs";
import { numberField } from "./field.mjs";
import { shown } from "./number.mjs";

const SMALL = 16; // columns that are shown as numbers; wider tensors are shown as colours

// Boxes from the source upwards. Rows of "source" tensors are source words, of "target" ones decoder input; `chapter` explains the box.
const attention = (weights, queries, keys) => ({ name: weights, rows: queries, columns: keys, heads: true });
export const HALVES = [
  { title: "Encoder", boxes: [
    { title: "Embedding", chapter: "02_positional_encoding", out: ["encoder.x"], parameters: ["source_embedding"] },
    { title: "Norm", chapter: "05_layer_norm", in: ["encoder.x"], out: ["encoder.u"], parameters: ["encoder.first_norm"] },
    { title: "Self-attention", chapter: "03_attention", in: ["encoder.u"], out: [attention("encoder.weights", "source", "source")], parameters: ["encoder.0.self_attention"] },
    { title: "Add & Norm", chapter: "05_layer_norm", out: ["encoder.self.s", "encoder.self.n"], parameters: ["encoder.0.self_attention_norm"] },
    { title: "Feed-forward", chapter: "06_feed_forward", in: ["encoder.self.n"], out: ["encoder.h"], parameters: ["encoder.0.feed_forward"] },
    { title: "Add & Norm: the memory", chapter: "07_encoder", out: ["encoder.end.s", "encoder.end.n"], parameters: ["encoder.0.feed_forward_norm"] },
  ] },
  { title: "Decoder", boxes: [
    { title: "Embedding", chapter: "02_positional_encoding", out: ["decoder.x"], parameters: ["target_embedding"] },
    { title: "Norm", chapter: "05_layer_norm", in: ["decoder.x"], out: ["decoder.u"], parameters: ["decoder.first_norm"] },
    { title: "Causal self-attention", chapter: "08_decoder", in: ["decoder.u"], out: [attention("decoder.weights", "target", "target")], parameters: ["decoder.0.self_attention"] },
    { title: "Add & Norm", chapter: "05_layer_norm", out: ["decoder.self.s", "decoder.self.n"], parameters: ["decoder.0.self_attention_norm"] },
    { title: "Cross-attention", chapter: "08_decoder", in: ["decoder.self.n", "encoder.end.n"], out: [attention("cross.weights", "target", "source")],
      parameters: ["decoder.0.cross_attention"] },
    { title: "Add & Norm", chapter: "05_layer_norm", out: ["decoder.cross.s", "decoder.cross.n"], parameters: ["decoder.0.cross_attention_norm"] },
    { title: "Feed-forward", chapter: "06_feed_forward", in: ["decoder.cross.n"], out: ["decoder.h"], parameters: ["decoder.0.feed_forward"] },
    { title: "Add & Norm", chapter: "08_decoder", out: ["decoder.end.s", "decoder.end.n"], parameters: ["decoder.0.feed_forward_norm"] },
    { title: "Output and loss", chapter: "10_training", in: ["decoder.end.n"], out: [{ name: "logits", rows: "target", columns: "targetWords" }, "loss"], parameters: ["output"] },
  ] },
];

const TITLES = {
  x: "x, the words with their positions", u: "u, x normalised", s: "s, what came in plus what the sublayer gives", n: "n, s normalised", h: "h, after the activation",
  logits: "logits, a number for each word of the target", loss: "loss",
};

// What a tensor of the flow is for the reader: its name ends in a letter of TITLES, or in the number of a head.
export function titleOf(name) {
  const head = name.match(/weights(\d+)$/);
  return head ? `weights of head ${head[1]}: who looks (row) at whom (column)` : TITLES[name.split(".").at(-1)];
}

// Whether a parameter belongs to a box that names `prefix`.
export const belongs = (name, prefix) => name === prefix || name.startsWith(`${prefix}.`);

function colour(value, largest) {
  const share = Math.round(100 * Math.min(1, Math.abs(value) / largest));
  return `color-mix(in srgb, var(${value < 0 ? "--backward" : "--forward"}) ${share}%, transparent)`;
}

// A table of numbers. `field(place)` makes the cell of one that a reader may change.
function table(title, shape, numbers, kind, rows, columns, field) {
  const width = shape.at(-1);
  const isSmall = width <= SMALL;
  const largest = Math.max(1e-12, ...numbers.map(Math.abs));
  const cell = (place) => {
    if (!isSmall) return element("td", { style: `background: ${colour(numbers[place], largest)}` });
    return element("td", {}, field ? field(place) : element("span", { className: `live-${kind}`, textContent: shown(numbers[place], 2) }));
  };
  const lines = Array.from({ length: numbers.length / width }, (_, i) => element("tr", {},
    ...(rows ? [element("th", { scope: "row", textContent: rows[i] })] : []), ...Array.from({ length: width }, (__, j) => cell(i * width + j))));
  const head = columns && isSmall ? [element("tr", {}, element("td"), ...columns.slice(0, width).map((word) => element("th", { scope: "col", textContent: word })))] : [];
  const size = isSmall ? "" : ` ${shape.join(" × ")}, from ${shown(Math.min(...numbers), 2)} to ${shown(Math.max(...numbers), 2)}`;
  return element("div", { className: "walk-scroll", tabIndex: 0, role: "group", "aria-label": title },
    element("table", { className: isSmall ? "" : "walk-colours" }, element("caption", { textContent: title + size }), ...head, ...lines));
}

export class WalkMap {
  // `read()` gives {flow, parameters, weights(parameter), words}; `edit(parameter, place, value)` hears a change; `top` leads to the chapters, if they are there.
  constructor(read, edit, top) {
    Object.assign(this, { read, edit, top, open: null });
    this.panel = element("section", { className: "walk-panel", id: "walk-panel", "aria-label": "The open box", hidden: true });
    this.buttons = [];
    const halves = HALVES.map(({ title, boxes }) => element("div", { className: "walk-half", role: "group", "aria-label": title },
      element("h2", { textContent: title }), ...boxes.map((box) => this.button(title, box))));
    this.element = element("div", { className: "walk-map" }, element("div", { className: "walk-halves" }, ...halves), this.panel);
  }

  button(half, box) {
    const made = element("button", {
      type: "button", className: "walk-box", textContent: box.title, "aria-expanded": "false", "aria-controls": "walk-panel",
      onclick: () => {
        this.open = this.open === box ? null : box;
        this.half = half;
        this.draw();
      },
    });
    this.buttons.push({ made, box });
    return made;
  }

  draw() {
    for (const { made, box } of this.buttons) made.setAttribute("aria-expanded", this.open === box);
    this.panel.hidden = !this.open;
    if (!this.open) return;
    const box = this.open;
    const seen = this.read();
    const focused = document.activeElement?.getAttribute("aria-label");
    const isInside = this.panel.contains(document.activeElement);
    const link = this.top === null ? [] : [element("a", { href: `${this.top}/chapters/${box.chapter}/index.html`, textContent: `chapter ${box.chapter.slice(0, 2)}` })];
    this.panel.replaceChildren(element("h2", {}, `${this.half}: ${box.title} `, ...link), ...this.part("Comes in", box.in, seen), ...this.part("Goes out", box.out, seen),
      ...this.parameters(box, seen));
    if (isInside) [...this.panel.querySelectorAll("input")].find((one) => one.getAttribute("aria-label") === focused)?.focus();
  }

  part(title, names, seen) {
    if (!names) return [];
    return [element("h3", { textContent: title }), ...names.flatMap((one) => this.tensors(typeof one === "string" ? { name: one } : one, seen))];
  }

  // A tensor and its gradient; of attention weights one for each head.
  tensors({ name, rows, columns, heads }, { flow, words }) {
    const names = heads ? [...flow.keys()].filter((key) => new RegExp(`^${name}\\d+$`).test(key)) : [name];
    const side = rows ?? (name.startsWith("encoder") ? "source" : "target");
    const one = (key, kind, title) => {
      const tensor = flow.get(key);
      return tensor ? [table(title, tensor.shape, [...tensor.numbers], kind, tensor.shape.length > 1 ? words[side] : null, words[columns])] : [];
    };
    return [element("div", { className: "walk-tensors" }, ...names.flatMap((key) => [...one(key, "output", titleOf(key)), ...one(`d${key}`, "gradient", "its gradient")]))];
  }

  parameters(box, { flow, parameters, weights, words }) {
    const own = parameters.filter(({ name }) => box.parameters.some((prefix) => belongs(name, prefix)));
    const labels = (name) => ({ source_embedding: words.sourceWords, target_embedding: words.targetWords, output: words.targetWords })[name];
    return [element("h3", { textContent: "Parameters" }), ...own.map((parameter) => {
      const gradient = flow.get(`d${parameter.name}`);
      return element("div", { className: "walk-tensors" },
        table(parameter.name, parameter.shape, [...weights(parameter)], "parameter", labels(parameter.name), null, (place) => this.field(parameter, place, weights(parameter)[place])),
        table("its gradient", gradient.shape, [...gradient.numbers], "gradient", labels(parameter.name)));
    })];
  }

  field(parameter, place, value) {
    const columns = parameter.shape.at(-1);
    const input = numberField({
      name: `${parameter.name}, row ${Math.floor(place / columns) + 1}, ${(place % columns) + 1}`, className: "live-field live-parameter", event: "change",
      now: () => value, take: (next) => this.edit(parameter, place, next),
    });
    input.value = shown(value, 2);
    input.addEventListener("keydown", (event) => { if (event.key === "Enter") input.blur(); });
    input.addEventListener("blur", () => { if (input.getAttribute("aria-invalid") !== "true") input.value = shown(value, 2); });
    return input;
  }
}
