// The choices and buttons above the whole model.
import { element } from "../../app/serve/page/element.mjs";
import { typed } from "./number.mjs";

const choice = (label, options, onchange) => {
  const select = element("select", { onchange }, ...options.map((text, value) => element("option", { value: String(value), textContent: text })));
  return { select, made: element("label", {}, `${label} `, select) };
};

// A number between two bounds; a wrong one is marked and not taken.
const numeric = (label, value, low, high) => {
  const input = element("input", { type: "text", inputMode: "decimal", value: String(value), size: 6, autocomplete: "off" });
  let last = value;
  const read = () => {
    const x = typed(input.value);
    const isRight = x !== null && x >= low && x <= high;
    input.setAttribute("aria-invalid", !isRight);
    if (!isRight) throw new Error(`"${label}" is a number from ${low} to ${high}`);
    last = x;
    return x;
  };
  const right = () => { try { return read(); } catch { return last; } }; // the last one, if this one is wrong
  input.addEventListener("input", right);
  return { input, read, right, made: element("label", {}, `${label} `, input) };
};

export const SEEDS = 1e6; // the largest
export const WITHOUT = ["nothing", "the scale 1/√Dk", "the residual connections", "the norms"]; // as the engine counts them

const button = (textContent, onclick) => element("button", { type: "button", textContent, onclick });

export class Choices {
  // `actions`: begin(), step(count), run(), link()
  constructor(tasks, actions) {
    const { begin } = actions;
    this.task = choice("Task", tasks.map((task) => task.name), begin);
    this.without = choice("Take out", WITHOUT, begin);
    this.weights = choice("Weights", ["learnt, as in the book", "random"], begin);
    this.seed = numeric("Seed", 1, 1, SEEDS);
    this.seed.input.addEventListener("change", begin);
    this.optimiser = choice("Optimiser", ["SGD", "Adam"], () => {});
    this.optimiser.select.value = "1";
    this.peak = numeric("Rate", 0.01, 0, 10);
    this.warmup = numeric("Warm-up", 100, 0, 1e6);
    this.smoothing = numeric("Smoothing", 0.1, 0, 0.99);
    this.running = button("Train to 99 %", () => actions.run());
    this.buttons = [button("One step", () => actions.step(1)), button("A hundred steps", () => actions.step(100)), this.running,
      button("Start again", begin), button("Copy link", () => actions.link())];
    this.status = element("p", { role: "status", className: "walk-status" });
    this.element = element("div", { className: "walk-choices" },
      element("div", { className: "live-buttons" }, this.task.made, this.without.made, this.weights.made, this.seed.made),
      element("div", { className: "live-buttons" }, this.optimiser.made, this.peak.made, this.warmup.made, this.smoothing.made),
      element("div", { className: "live-buttons" }, ...this.buttons), this.status);
  }

  // How the model begins; a task without learnt weights begins with random ones.
  beginning() {
    return { task: Number(this.task.select.value), without: Number(this.without.select.value), seed: this.weights.select.value === "0" ? 0 : Math.round(this.seed.read()) };
  }

  show({ task, without, seed }, hasLearnt) {
    this.task.select.value = String(task);
    this.without.select.value = String(without);
    this.weights.select.value = seed === 0 ? "0" : "1";
    this.weights.made.hidden = !hasLearnt;
    this.seed.made.hidden = seed === 0;
    if (seed) this.seed.input.value = String(seed);
  }

  plan() {
    return { optimiser: Number(this.optimiser.select.value), peak: this.peak.read(), warmup: Math.round(this.warmup.read()), smoothing: this.smoothing.read() };
  }

  showPlan({ optimiser, peak, warmup, smoothing }) {
    this.optimiser.select.value = String(optimiser);
    for (const [field, value] of [[this.peak, peak], [this.warmup, warmup], [this.smoothing, smoothing]]) field.input.value = String(value);
  }
}
