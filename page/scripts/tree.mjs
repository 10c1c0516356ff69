// A beam search as a tree: a column is a step, a box a beam that the step keeps, the best at the top. Lines lead to the beam that it continues.
import { readable } from "../../app/serve/page/element.mjs";
import { drawn } from "./drawn.mjs";

const WIDTH = 104, HEIGHT = 34, BOX = { width: 84, height: 26 }, HEAD = 22, LETTERS = 9;

// The beams of each step, each with its place, the beam `from` that it continues, and the probability of its text so far.
export function beamsOf(tree) {
  let open = [{ texts: [], logProb: 0, step: -1, row: 0 }];
  return tree.map((kept, step) => {
    const beams = kept.map(({ parent, text, log_prob: logProb, ended }, row) => {
      const from = open[parent];
      return { text, ended, from, step, row, probability: Math.exp(logProb), texts: [...from.texts, text], logProb: from.logProb + logProb };
    });
    open = beams.filter(({ ended }) => !ended);
    return beams;
  });
}

// The beams that lead to the text of these tokens, from the first one on.
export function pathTo(steps, tokens) {
  const path = [];
  const last = steps[tokens.length - 1]?.find(({ texts }) => texts.every((text, i) => text === tokens[i]));
  for (let beam = last; beam?.text; beam = beam.from) path.unshift(beam);
  return path;
}

const left = (step) => (step + 1) * WIDTH;
const middle = (row) => HEAD + row * HEIGHT + BOX.height / 2;
const percent = (x) => `${(100 * x).toFixed(x < 0.0995 ? 1 : 0)} %`;

function line({ from, step, row }, isSaid) {
  const [x1, x2] = [left(from.step) + BOX.width, left(step)];
  const half = (x1 + x2) / 2;
  return drawn("path", { class: isSaid ? "tree-line tree-said" : "tree-line", d: `M${x1} ${middle(from.row)}C${half} ${middle(from.row)} ${half} ${middle(row)} ${x2} ${middle(row)}` });
}

function box({ text, texts, ended, step, row, probability, logProb }, isSaid) {
  const short = readable(text);
  const name = short.length > LETTERS ? `${short.slice(0, LETTERS - 1)}…` : short;
  const kind = `tree-box${isSaid ? " tree-said" : ""}${ended ? " tree-end" : ""}`;
  const words = texts.join("").replaceAll("\u2581", " ").trim();
  return drawn("g", { class: kind, style: `--weight: ${probability.toFixed(3)}` },
    drawn("title", {}, `${words}\nthe last piece ${percent(probability)}, all of it: log probability ${logProb.toFixed(2)}`),
    drawn("rect", { x: left(step), y: middle(row) - BOX.height / 2, rx: ended ? 13 : 3, ...BOX }),
    drawn("text", { x: left(step) + BOX.width / 2, y: middle(row) + 4, "text-anchor": "middle" }, name));
}

// `tokens` are the pieces of the translation.
export function treeOf(tree, tokens) {
  const steps = beamsOf(tree);
  const said = new Set(pathTo(steps, tokens));
  const rows = Math.max(...steps.map((beams) => beams.length));
  const [width, height] = [left(steps.length), HEAD + rows * HEIGHT];
  const all = [...steps.flat().filter((beam) => !said.has(beam)), ...said]; // those of the translation on top
  const ends = all.filter(({ ended }) => ended).length;
  return drawn("svg", { class: "tree", role: "img", width, height, viewBox: `0 0 ${width} ${height}`,
    "aria-label": `The search: ${steps.length} steps with at most ${rows} beams; ${ends} of them end. The boxes of the translation are marked.` },
  ...steps.map((_, i) => drawn("text", { class: "tree-step", x: left(i) + BOX.width / 2, y: 12, "text-anchor": "middle" }, String(i + 1))),
  ...all.map((beam) => line(beam, said.has(beam))), drawn("g", { class: "tree-box tree-said tree-begin" },
    drawn("rect", { x: 30, y: middle(0) - BOX.height / 2, rx: 13, width: BOX.width - 30, height: BOX.height }),
    drawn("text", { x: 30 + (BOX.width - 30) / 2, y: middle(0) + 4, "text-anchor": "middle" }, "<bos>")),
  ...all.map((beam) => box(beam, said.has(beam))));
}
