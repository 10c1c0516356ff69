// Tests the numbers of the live lessons: printed ones at the start, and after edits those of the same C++ on this machine.
//
//     node tests/page/numbers_test.mjs build/page build/release/page
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import test from "node:test";
import { gzipSync } from "node:zlib";

import { bound } from "../../page/scripts/block.mjs";
import { Desk, isWritten, written } from "../../page/scripts/desk.mjs";
import { formulaOf, rowAndColumn } from "../../page/scripts/formula.mjs";
import { Model } from "../../page/scripts/model.mjs";
import { lessonsOf } from "../../page/scripts/engine.mjs";
import { made } from "../../page/scripts/load.mjs";
import { formatOf, sentence } from "../../page/scripts/number.mjs";

const root = new URL("../..", import.meta.url);
const [page = "build/page", native = "build/release/page"] = process.argv.slice(2);
const engine = (name) => made(createRequire(import.meta.url)(resolve(page, name)));
const lessons = lessonsOf(await engine("mistakes.js"));
const right = lessonsOf(await engine("engine.js"));
const text = (path) => readFileSync(new URL(path, root), "utf8");
const EDITS = 200;

test("the code of all pages, without the known mistakes, has at most 400 KB, compressed", () => {
  const sizes = ["engine.js", "live.js", "model.js", "live.css"].map((name) => gzipSync(readFileSync(resolve(page, name))).length);
  assert.ok(sizes.reduce((sum, size) => sum + size) <= 400_000, `${sizes} bytes`);
});

// Park and Miller's generator: the same edits each time.
function random(seed) {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

// Given numbers after each of EDITS edits, each of one number; every tenth begins again from the page's.
function edits(lesson, seed) {
  const draw = random(seed);
  const normal = () => Math.sqrt(-2 * Math.log(draw())) * Math.cos(2 * Math.PI * draw());
  const made = [];
  for (let values = null; made.length < EDITS; ) {
    values = made.length % 10 === 0 ? lesson.start.slice() : values.slice();
    values[Math.floor(draw() * values.length)] = 2 * normal();
    made.push(values);
  }
  return made;
}

// What the program on this machine computes for each [lesson, way, values].
function natively(runs) {
  const input = runs.map(([lesson, way, values]) => [lesson.index, way, lesson.count, ...values].join(" ")).join("\n");
  const [described, ...lines] = execFileSync(`${native}/mistakes`, { input, maxBuffer: 1 << 28 }).toString().trim().split("\n");
  return { described: JSON.parse(described).lessons, computed: lines.map((line) => line.split(" ").map((word) => (/nan/.test(word) ? NaN : Number(word)))) };
}

function assertEqual(found, expected, what) {
  assert.equal(found.length, expected.length, what);
  found.forEach((value, i) => {
    const bound = 1e-12 * Math.max(1, Math.abs(expected[i]));
    assert.ok(Object.is(value, expected[i]) || Math.abs(value - expected[i]) <= bound, `${what}, number ${i}: ${value}, not ${expected[i]}`);
  });
}

for (const lesson of lessons.values()) {
  const description = JSON.parse(text(`page/lessons/${lesson.chapter}.json`));
  const printed = Object.fromEntries([...text(`chapters/${lesson.chapter}/README.md`).matchAll(/^<!-- demo: ([^\n]+?) -->\n```text\n(.*?)\n```$/gms)].map((match) => match.slice(1)));

  test(`${lesson.chapter}: each tensor has a name of its own`, () => {
    assert.equal(lesson.tensors.size, lesson.given.length + lesson.computed.length);
  });

  test(`${lesson.chapter}: every number at the start is the printed one`, () => {
    const computed = lesson.run(lesson.start);
    for (const [section, listed] of Object.entries(description.blocks)) {
      for (const piece of bound(lesson, printed[section], listed, description.words).flatMap((line) => line.pieces)) {
        if (typeof piece === "string") continue;
        const { tensor, place, words } = piece;
        const value = (tensor.isGiven ? lesson.start : computed)[tensor.first + place];
        const all = computed.slice(tensor.first, tensor.first + tensor.size);
        const now = piece.isSentence ? sentence(all, words) : words ? words[value] : formatOf(piece.text)(value);
        assert.equal(now, piece.text, `${section}: ${tensor.name} ${place}`);
      }
    }
  });

  test(`${lesson.chapter}: ${EDITS} edits give the numbers of this machine, and their gradients pass the check`, () => {
    const all = edits(lesson, 20170612 + lesson.index);
    const { described, computed } = natively(all.map((values) => [lesson, 0, values]));
    assertEqual(lesson.start, described[lesson.index].given.flatMap((tensor) => tensor.numbers), "the page's numbers");
    const desk = new Desk(lesson);
    all.forEach((values, i) => {
      assertEqual(lesson.run(values), computed[i], `edit ${i}`);
      if (lesson.start.length > 300 && i % 10 !== 0) return; // the whole model: a second for each check
      desk.values = values;
      desk.compute();
      desk.check();
      for (const { gradient, distance: far, isRight } of desk.verdicts) assert.ok(isRight, `edit ${i}: ${gradient.name} is ${far} from finite differences`);
    });
  });

  test(`${lesson.chapter}: the engine that a page loads first has the same numbers`, () => {
    for (const values of [lesson.start, ...edits(lesson, 5).slice(0, 10)]) assert.deepEqual([...right.get(lesson.chapter).run(values)], [...lesson.run(values)]);
    assert.deepEqual(right.get(lesson.chapter).ways, lesson.ways);
  });

  test(`${lesson.chapter}: each formula gives the numbers that it explains`, () => {
    for (const values of [lesson.start, ...edits(lesson, 3).slice(0, 20)]) {
      const computed = lesson.run(values);
      const value = (tensor, place) => (tensor.isGiven ? values : computed)[tensor.first + place];
      for (const [name, entry] of Object.entries(description.formulas)) {
        const tensor = lesson.tensors.get(name);
        const formula = formulaOf(lesson, entry, value, String);
        for (let place = 0; place < tensor.size; ++place) {
          const [found, expected] = [formula.at(...rowAndColumn(tensor, place)).value, value(tensor, place)];
          assert.ok(Math.abs(found - expected) <= 1e-9 * Math.max(1, Math.abs(expected)), `${name} ${place}: ${found}, not ${expected}`);
        }
      }
    }
  });

  test(`${lesson.chapter}: each known mistake gives the numbers of this machine, and others than the right ones`, () => {
    const all = edits(lesson, 1);
    const ways = lesson.ways.map((_, way) => way).slice(1);
    const { computed } = natively(ways.flatMap((way) => all.slice(0, 10).map((values) => [lesson, way, values])));
    for (const way of ways) {
      let differs = false;
      all.slice(0, 10).forEach((values, i) => {
        const found = lesson.run(values, way);
        assertEqual(found, computed[(way - 1) * 10 + i], lesson.ways[way]);
        const right = lesson.run(values);
        differs ||= found.some((value, k) => !Object.is(value, right[k]) && !(Math.abs(value - right[k]) <= 1e-9));
      });
      assert.ok(differs, `${lesson.ways[way]} changes no number`);
    }
  });

  test(`${lesson.chapter}: each known mistake has its words and its judges`, () => {
    const listed = readdirSync(new URL("tests/wrong", root)).filter((name) => name.endsWith(".hpp")).map((name) => text(`tests/wrong/${name}`)).join("");
    const explained = text("build/page/live.js");
    for (const name of lesson.ways.slice(1)) {
      assert.match(listed, new RegExp(`^/// twin: ${name} ${lesson.chapter}[ /]`, "m"));
      assert.ok(explained.includes(`"${name}": {"words": "`), `nothing explains ${name}: add it to page/lessons/${lesson.chapter}.json`);
    }
  });

  test(`${lesson.chapter}: a link restores the numbers to the bit`, () => {
    const desk = new Desk(lesson);
    for (const values of edits(lesson, 7).slice(0, 20)) {
      Object.assign(desk, { values, way: lesson.ways.length - 1, checks: true });
      const other = new Desk(lesson);
      other.restore(written(desk));
      assert.deepEqual([...other.values], [...values]);
      assert.equal(other.way, desk.way);
      assert.ok(other.checks);
    }
  });
}

test("a link that is damaged changes what it names rightly, and nothing else", () => {
  const lesson = lessons.get("05_layer_norm");
  const desk = new Desk(lesson);
  desk.restore("live=x.3:2,x.99:1,y.0:5,mean.0:1,x.1:abc,x.2:Infinity,,gamma.0:1e3&mistake=unknown&colour=red");
  assert.equal(written(desk), "live=x.3:2,gamma.0:1000");
  assert.ok(isWritten("live=x.3:2") && isWritten("check") && isWritten("mistake=no-epsilon"));
  assert.ok(!isWritten("backward") && !isWritten("checked-by") && !isWritten("eq-5.7"));
});

test("a page whose lines differ from the description is an error", () => {
  const lesson = lessons.get("05_layer_norm");
  assert.throws(() => bound(lesson, "y (N, D)", [["x (N, D)", "x"]]), /no line "x/);
  assert.throws(() => bound(lesson, "x (N, D)\n  the 1.00", [["x (N, D)", "x"]]), /has not 4 numbers/);
  assert.throws(() => bound(lesson, "z", [["z", "z"]]), /no tensor z/);
});

// The whole model: each task, whole and with a part taken out, as it begins and after a step.
test("the whole model, its step and what flows through it are those of this machine", async () => {
  const model = new Model(await engine("engine.js"));
  const cases = [];
  for (const task of [0, 1]) {
    for (const without of [0, 1, 2, 3]) {
      for (const seed of task === 0 ? [0, 1, 2] : [1, 2]) {
        for (const [steps, optimiser] of [[0, 1], [1, 0], [1, 1]]) cases.push([task, without, seed, steps, optimiser, 0.01, 3, 0.1, seed]);
      }
    }
  }
  const lines = execFileSync(`${native}/walk`, { input: cases.map((one) => one.join(" ")).join("\n"), maxBuffer: 1 << 28 }).toString().trim().split("\n");
  cases.forEach(([task, without, seed, steps, optimiser, peak, warmup, smoothing, pair], i) => {
    model.begin({ task, without, seed });
    const results = (steps ? model.steps(steps, { optimiser, peak, warmup, smoothing }) : []).flatMap(({ loss, norm, rate }) => [loss, norm, rate]);
    const flow = [...model.flow(pair, smoothing).values()].flatMap((tensor) => [...tensor.numbers]);
    assertEqual([...results, model.score(), ...flow], lines[i].trim().split(" ").map(Number), `case ${cases[i]}`);
  });
});

test("what is taken out of the model is out, and its gradients are those of what remains", async () => {
  const model = new Model(await engine("engine.js"));
  const losses = new Set();
  for (const without of [0, 1, 2, 3]) {
    model.begin({ task: 0, without, seed: 3 });
    const flow = model.flow(2, 0.1);
    losses.add(flow.get("loss").numbers[0]);
    const [h, before, s, n] = ["encoder.h", "encoder.self.s", "encoder.end.s", "encoder.end.n"].map((name) => flow.get(name).numbers);
    const [w, b] = ["w", "b"].map((name) => model.weights(model.parameters.find((one) => one.name === `encoder.0.feed_forward.outer.${name}`)));
    s.forEach((value, i) => {
      const [row, column] = [Math.floor(i / 4), i % 4];
      const sublayer = Array.from({ length: 8 }, (_, k) => h[8 * row + k] * w[4 * k + column]).reduce((sum, x) => sum + x, b[column]);
      assert.ok(Math.abs(value - sublayer - (without === 2 ? 0 : before[i])) < 1e-12, `s ${i} without ${without}`);
      assert.equal(value === n[i], without === 3, `n ${i} without ${without}`);
    });
    const draw = random(without + 1);
    for (const parameter of model.parameters) {
      for (let k = 0; k < 3; ++k) {
        const place = Math.floor(draw() * parameter.size);
        const value = model.weights(parameter)[place];
        const loss = (by) => {
          model.write(parameter, place, value + by);
          return model.flow(2, 0.1).get("loss").numbers[0];
        };
        const [slope, gradient] = [(loss(1e-5) - loss(-1e-5)) / 2e-5, flow.get(`d${parameter.name}`).numbers[place]];
        model.write(parameter, place, value);
        assert.ok(Math.abs(slope - gradient) < 1e-7, `${parameter.name} ${place} without ${without}: ${gradient}, by finite differences ${slope}`);
      }
    }
  }
  assert.equal(losses.size, 4);
});

test("a beginning or a step that fails leaves the model, its moments and its count of steps", async () => {
  const model = new Model(await engine("engine.js"));
  const adam = { optimiser: 1, peak: 0.01, warmup: 3, smoothing: 0.1 };
  model.begin({ task: 0, without: 0, seed: 3 });
  const [first, second] = model.steps(2, adam);
  model.begin({ task: 0, without: 0, seed: 3 });
  assert.throws(() => model.begin({ task: 1, without: 9, seed: 1 }), /there is no such model/);
  assert.deepEqual([model.task.name, model.steps(1, adam)], ["six sentences", [first]]);
  const flow = () => [...model.flow(2, 0.1).values()].map(({ numbers }) => [...numbers]);
  const before = flow();
  const output = model.parameters.find((one) => one.name === "output");
  const [weight] = model.weights(output);
  model.write(output, 0, Infinity);
  for (const optimiser of [1, 0]) assert.throws(() => model.steps(1, { ...adam, optimiser }), /not finite/);
  model.write(output, 0, weight);
  assert.deepEqual([flow(), model.steps(1, adam)], [before, [second]]);
});

// The steps are the same on each machine.
test("digits backwards are learnt to 99 % within 400 steps and two minutes", async () => {
  const model = new Model(await engine("engine.js"));
  model.begin({ task: 1, without: 0, seed: 1 });
  const begin = performance.now();
  let steps = 0;
  do model.steps(100, { optimiser: 1, peak: 0.01, warmup: 100, smoothing: 0.1 });
  while ((steps += 100) < 400 && model.score() < 0.99);
  const seconds = (performance.now() - begin) / 1000;
  console.log(`digits backwards: ${(100 * model.score()).toFixed(1)} % after ${steps} steps, ${seconds.toFixed(0)} s`);
  assert.ok(model.score() >= 0.99 && seconds < 120);
});
