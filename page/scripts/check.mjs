// "Check the gradients": below each gradient the slopes that finite differences give.
import { element } from "./element.mjs";
import { printed } from "./block.mjs";
import { shown } from "./number.mjs";

const BOUND = 1e-6; // of the difference, beside the larger of the two gradients

// How far a gradient is from its slopes: relative to the largest number of both, or a thousandth of all gradients' largest.
export function distance(gradient, slopes, largest) {
  const size = Math.max(1e-3 * largest, ...gradient.map(Math.abs), ...slopes.map(Math.abs));
  const gap = Math.max(...gradient.map((g, i) => Math.abs(g - slopes[i])));
  return gap === 0 ? 0 : gap / size;
}

// Of each given tensor with a gradient: {gradient, given, slopes, distance, isRight}
export function checked(desk) {
  const largest = Math.max(...desk.slopes.map(Math.abs));
  return desk.lesson.computed.filter((tensor) => tensor.part === "gradient").map((gradient) => {
    const given = desk.lesson.tensors.get(gradient.name.slice(1));
    const slopes = [...desk.slopes.slice(given.first, given.first + given.size)];
    const far = distance([...desk.computed.slice(gradient.first, gradient.first + gradient.size)], slopes, largest);
    return { gradient, given, slopes, distance: far, isRight: far <= BOUND };
  });
}

// The lines that stand below a gradient's rows, in one element.
export function note({ gradient, given, distance: far, isRight }, desk) {
  const title = `${isRight ? "✓" : "✗"} ${gradient.name} by finite differences (${far === 0 ? "0" : far.toExponential(0)})`;
  const [head, ...rows] = printed(given, title, desk.slopes, null, (x) => shown(x, 2));
  const lines = [element("span", { className: isRight ? "live-right" : "live-wrong", textContent: head }), `\n${rows.join("\n")}\n`];
  return element("span", { className: "live-check" }, ...lines);
}
