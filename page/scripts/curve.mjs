// The loss of each step as a picture.
import { drawn } from "./drawn.mjs";

const WIDTH = 640, HEIGHT = 200, LEFT = 44, BOTTOM = 24, TOP = 8;

// At most `most` numbers, each the mean of as many neighbours.
export function thinned(numbers, most) {
  const share = Math.ceil(numbers.length / most);
  return Array.from({ length: Math.ceil(numbers.length / share) }, (_, i) => {
    const part = numbers.slice(i * share, (i + 1) * share);
    return { step: Math.min((i + 1) * share, numbers.length), mean: part.reduce((sum, x) => sum + x, 0) / part.length };
  });
}

export function curve(losses, label) {
  const picture = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label });
  const top = Math.max(1e-3, ...thinned(losses, 300).map((one) => one.mean));
  const x = (step) => LEFT + ((WIDTH - LEFT - 8) * step) / Math.max(1, losses.length);
  const y = (loss) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - loss / top);
  for (const share of [0, 0.5, 1]) {
    picture.append(drawn("line", { x1: LEFT, x2: WIDTH - 8, y1: y(share * top), y2: y(share * top), class: "walk-grid" }),
      drawn("text", { x: LEFT - 6, y: y(share * top) + 4, "text-anchor": "end" }, (share * top).toFixed(2)));
  }
  picture.append(drawn("text", { x: LEFT, y: HEIGHT - 6 }, "step 1"), drawn("text", { x: WIDTH - 8, y: HEIGHT - 6, "text-anchor": "end" }, `step ${losses.length}`));
  const points = thinned(losses, 300).map(({ step, mean }) => `${x(step).toFixed(1)},${y(mean).toFixed(1)}`);
  picture.append(drawn("polyline", { points: points.join(" "), class: "walk-loss" }));
  return picture;
}
