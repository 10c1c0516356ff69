// "Check the gradients": below each gradient the slopes that finite differences give.
import { element } from "../../app/serve/page/element.mjs";
import { printed } from "./block.mjs";
import { shown } from "./number.mjs";

const STEPS = [1e-5, 1e-6];
const BOUND = 1e-6; // of the difference, beside the larger of the two gradients

// How far a gradient is from its slopes: relative to the largest number of both, or a thousandth of all gradients' largest.
export function distance(gradient, slopes, largest) {
  const size = Math.max(1e-3 * largest, ...gradient.map(Math.abs), ...slopes.map(Math.abs));
  const gap = Math.max(...gradient.map((g, i) => Math.abs(g - slopes[i])));
  return gap === 0 ? 0 : gap / size;
}

const part = (all, { first, size }) => [...all.slice(first, first + size)];

function verdicts(desk, slopes) {
  const largest = Math.max(...slopes.map(Math.abs));
  return desk.lesson.computed.filter((tensor) => tensor.part === "gradient").map((gradient) => {
    const given = desk.lesson.tensors.get(gradient.name.slice(1));
    const far = distance(part(desk.computed, gradient), part(slopes, given), largest);
    return { gradient, given, slopes, distance: far, isRight: far <= BOUND };
  });
}

// Of each given tensor with a gradient: {gradient, given, slopes, distance, isRight}. Like the judges it takes the best of several steps: between the
// ends of a larger one a relu may change its side.
export function checked(desk) {
  let best = null;
  for (const step of STEPS) {
    const found = verdicts(desk, desk.lesson.slopes(desk.values, desk.way, step));
    best = best?.map((one, i) => (found[i].distance < one.distance ? found[i] : one)) ?? found;
    if (best.every((one) => one.isRight)) break;
  }
  return best;
}

// The lines that stand below a gradient's rows, in one element.
export function note({ gradient, given, slopes, distance: far, isRight }) {
  const title = `${isRight ? "✓" : "✗"} ${gradient.name} by finite differences (${far === 0 ? "0" : far.toExponential(0)})`;
  const [head, ...rows] = printed(given, title, slopes, null, (x) => shown(x, 2));
  const lines = [element("span", { className: isRight ? "live-right" : "live-wrong", textContent: head }), `\n${rows.join("\n")}\n`];
  return element("span", { className: "live-check" }, ...lines);
}
