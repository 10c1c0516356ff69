// The page of the whole model: choices, the loss as it falls, what the model says, and the map.
import { Actions } from "./actions.mjs";
import { Address, copyAddress } from "./address.mjs";
import { Choices, SEEDS, WITHOUT } from "./choices.mjs";
import { curve } from "./curve.mjs";
import { element } from "../../app/serve/page/element.mjs";
import { WalkMap } from "./map.mjs";
import { shown } from "./number.mjs";

const TURN_MS = 40; // the page may draw after so much training
const SHARE = 0.99;
const PATIENCE = 20000; // steps

const named = (ids, list) => ids.map((id) => list[id]);
const sentenceOf = (ids, list) => named(ids, list).join(" ");
const line = (kind, texts, className = "") => element("tr", { className }, ...texts.map((textContent) => element(kind, { textContent })));

// What `act` cannot do, as a text; null if it can.
async function problemOf(act) {
  try {
    await act();
    return null;
  } catch (error) {
    return error.message;
  }
}

const breath = () => new Promise((resolve) => { setTimeout(resolve, 0); });

export class Walk {
  constructor(model, root, top) {
    Object.assign(this, { model, losses: [], actions: new Actions() });
    this.choices = new Choices(model.tasks, {
      begin: () => this.go(() => this.begin(this.choices.beginning())), step: (count) => this.go(() => this.train(count)), run: () => this.go(this.isRunning ? () => {} : () => this.run()), link: () => this.link(),
    });
    this.picture = element("div", { className: "walk-picture" });
    this.pair = element("select", { "aria-label": "The pair that flows through the model", onchange: () => this.go(() => this.choose(Number(this.pair.value))) });
    this.said = element("p", { className: "walk-said", role: "status" });
    this.table = element("table", { className: "walk-pairs" });
    this.map = new WalkMap(() => this.seen(), (parameter, place, value) => this.go(() => this.edit(parameter, place, value)), top);
    root.append(this.choices.element, this.picture, element("details", {}, element("summary", { textContent: "What it says to each pair" }),
      element("div", { className: "walk-scroll", tabIndex: 0, role: "group", "aria-label": "What it says to each pair" }, this.table)),
    element("label", {}, "Show the pair ", this.pair), this.said, this.map.element);
    this.address = new Address(Actions.isWritten, (text) => this.go(() => this.follow(text), false));
    this.address.begin();
  }

  // One after the other: what runs ends early, because something else is wanted. `isStep`: the back button takes it back. What fails is said.
  go(change, isStep = true) {
    const before = this.busy;
    const mine = (this.latest = (this.latest ?? 0) + 1);
    this.busy = (async () => {
      await before;
      this.isWanted = () => mine === this.latest;
      const problems = [await problemOf(change), await problemOf(() => this.draw())];
      if (this.isWanted()) problems.push(await problemOf(() => this.address.write(this.actions.text, isStep)));
      const problem = problems.find(Boolean);
      if (problem) this.choices.status.textContent = `${problem}.`;
    })();
    return this.busy;
  }

  begin(beginning) {
    const task = this.model.tasks[beginning.task];
    const isOther = !this.model.task || task !== this.model.task;
    const seed = task.learnt ? beginning.seed : Math.max(1, beginning.seed);
    const whole = { pair: isOther ? 0 : this.actions.beginning.pair, ...beginning, seed };
    this.model.begin(whole);
    this.actions.begin(whole);
    this.losses = [];
    this.choices.show(this.actions.beginning, task.learnt);
    this.pair.replaceChildren(...task.pairs.map((pair, i) => element("option", { value: String(i), textContent: sentenceOf(pair.source, task.sourceWords) })));
    this.pair.value = String(this.actions.beginning.pair);
  }

  choose(pair) {
    this.actions.beginning.pair = pair;
  }

  edit(parameter, place, value) {
    this.model.write(parameter, place, value);
    this.actions.addEdit(parameter.name, place, value);
  }

  // Trains in turns, so that the page stays awake.
  async train(count, plan = this.choices.plan()) {
    let left = count;
    do {
      const begin = performance.now();
      let taken = 0;
      try {
        while (left > 0 && performance.now() - begin < TURN_MS) {
          [this.last] = this.model.steps(1, plan);
          this.losses.push(this.last.loss);
          taken += 1;
          left -= 1;
        }
      } finally {
        this.actions.addSteps(taken, plan);
      }
      this.drawTraining();
      await breath();
    } while (left > 0 && this.isWanted());
  }

  async run() {
    this.isRunning = true;
    try {
      const plan = this.choices.plan();
      do await this.train(100, plan);
      while (this.isWanted() && this.model.score() < SHARE && this.losses.length < PATIENCE);
    } finally {
      this.isRunning = false;
    }
  }

  // Does what an address tells, or begins with the book's model.
  async follow(text) {
    const told = new Actions();
    told.read(text);
    this.begin(this.known(told.beginning));
    for (const action of told.done) {
      if (!this.isWanted()) return;
      if (action.plan) {
        this.choices.showPlan(Actions.planOf(action.plan));
        await this.train(action.count);
      } else {
        const parameter = this.model.parameters.find((one) => one.name === action.name);
        if (parameter && action.place < parameter.size) this.edit(parameter, action.place, action.value);
      }
    }
  }

  // A beginning without what this page does not have.
  known({ task, without, seed, pair }) {
    const found = this.model.tasks[task] ? task : 0;
    const pairs = this.model.tasks[found].pairs.length;
    return { task: found, without: without < WITHOUT.length ? without : 0, seed: seed <= SEEDS ? seed : 0, pair: pair < pairs ? pair : 0 };
  }

  async link() {
    this.choices.status.textContent = (await copyAddress()) ? "The link is copied." : "The link is in the address bar.";
  }

  // What the map shows: the flow of the chosen pair.
  seen() {
    const { task } = this.model;
    const pair = task.pairs[this.actions.beginning.pair];
    return {
      flow: this.model.flow(this.actions.beginning.pair, this.choices.smoothing.right()),
      parameters: this.model.parameters,
      weights: (parameter) => this.model.weights(parameter),
      words: { sourceWords: task.sourceWords, targetWords: task.targetWords, source: [...named(pair.source, task.sourceWords), "<eos>"],
        target: ["<bos>", ...named(pair.target, task.targetWords)] },
    };
  }

  drawTraining() {
    const steps = this.losses.length;
    this.picture.replaceChildren(...(steps ? [curve(this.losses, `The loss of ${steps} steps, at last ${shown(this.losses.at(-1), 3)}`)] : []));
    this.choices.running.textContent = this.isRunning ? "Stop" : "Train to 99 %";
    if (steps) this.choices.status.textContent = `Step ${steps}: loss ${shown(this.last.loss, 3)}, rate ${shown(this.last.rate, 4)}.`;
  }

  draw() {
    this.drawTraining();
    const { task } = this.model;
    const rows = task.pairs.map(({ source, target }, i) => ({
      source: sentenceOf(source, task.sourceWords), target: sentenceOf(target, task.targetWords), said: sentenceOf(this.model.says(i), task.targetWords),
    }));
    this.table.replaceChildren(
      line("th", ["source", "it should say", "it says"]),
      ...rows.map((row) => line("td", [row.source, row.target, row.said], row.said === row.target ? "" : "walk-miss")));
    const now = rows[this.actions.beginning.pair];
    this.said.textContent = `${now.source} → ${now.said || "(nothing)"}${now.said === now.target ? "" : `, and should say: ${now.target}`}`;
    const loss = this.losses.length ? `Step ${this.losses.length}: loss ${shown(this.last.loss, 3)}, rate ${shown(this.last.rate, 4)}. ` : "";
    this.choices.status.textContent = `${loss}${shown(100 * this.model.score(), 1)} % of the judging pairs are right.`;
    this.map.draw();
  }
}
