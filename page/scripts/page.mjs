// Makes the numbers of one page live.
import { bound, printed } from "./block.mjs";
import { Bar } from "./bar.mjs";
import { Cells } from "./cells.mjs";
import { note } from "./check.mjs";
import { Desk, isWritten, written } from "./desk.mjs";
import { element } from "./element.mjs";
import { watch } from "./influence.mjs";
import { shown } from "./number.mjs";
import { explain } from "./terms.mjs";

class Page {
  // `mistakes` loads the engine that can compute the known mistakes.
  constructor(lesson, description, mistakes) {
    this.desk = new Desk(lesson);
    this.cells = new Cells(this.desk, (place, value, isDone) => this.change(place, value, isDone));
    this.ends = []; // {tensor, mark}: where the finite differences of a gradient go
    this.verdicts = null; // of the last check
    Object.assign(this, { description, mistakes });
    for (const name of description.switches ?? []) lesson.tensors.get(name).isSwitch = true;
    this.fill();
    this.bar = new Bar(lesson, description, {
      reset: () => this.go(() => this.desk.reset()),
      check: () => this.go(() => { this.desk.checks = !this.desk.checks; }),
      mistake: (name) => this.able(name, () => this.go(() => { this.desk.way = lesson.ways.indexOf(name); })),
      link: () => navigator.clipboard?.writeText(location.href).then(() => true, () => false) ?? false,
    });
    const article = document.querySelector("article");
    article.append(this.bar.element);
    const ends = [watch(this.desk, this.cells, article), explain(this.desk, this.cells, description.formulas ?? {}, article)];
    this.forget = () => ends.forEach((end) => end());
    for (const event of ["popstate", "hashchange"]) addEventListener(event, () => this.follow());
    this.follow();
  }

  // Puts cells into the blocks that the description lists, and adds a block with what the page does not print.
  fill() {
    const { lesson } = this.desk;
    for (const [section, listed] of Object.entries(this.description.blocks)) {
      const pre = document.querySelector(`pre[data-demo="${section}"]`);
      if (!pre) throw new Error(`no block "${section}"`);
      this.rewrite(pre, bound(lesson, pre.textContent.replace(/\n$/, ""), listed, this.description.words));
    }
    const { more } = this.description;
    if (!more) return;
    const atStart = lesson.run(lesson.start);
    const numbers = (tensor) => (tensor.isGiven ? lesson.start : atStart);
    const lines = more.tensors.flatMap(([title, name, labels]) => {
      const tensor = lesson.tensors.get(name);
      return printed(tensor, title, numbers(tensor), labels, (x) => shown(x, 2));
    });
    const pre = element("pre", { tabIndex: 0 }, element("code"));
    const summary = element("summary", { textContent: more.title });
    const after = document.querySelector(`pre[data-demo="${more.after}"]`);
    (after.closest(".block") ?? after).after(element("details", { className: "live-more" }, summary, pre));
    this.rewrite(pre, bound(lesson, lines.join("\n"), more.tensors));
  }

  rewrite(pre, lines) {
    const code = pre.querySelector("code");
    code.replaceChildren();
    pre.classList.add("live");
    for (const { pieces, after } of lines) {
      let label = "";
      for (const piece of pieces) {
        if (typeof piece === "string" && /\p{L}/u.test(piece)) label = piece.trim();
        code.append(typeof piece === "string" ? piece : this.cells.made(piece, label, pre));
      }
      code.append("\n");
      if (after?.part !== "gradient") continue;
      const mark = element("span");
      code.append(mark);
      this.ends.push({ tensor: after, mark });
    }
  }

  change(place, value, isDone) {
    this.desk.values[place] = value;
    this.draw();
    this.remember(isDone);
  }

  go(change) {
    change();
    this.draw();
    this.remember(true);
  }

  // What is typed into one field is one step of the back button, and so is each button.
  remember(isDone) {
    const text = written(this.desk);
    if (this.isTyping || decodeURIComponent(location.hash.slice(1)) !== text) {
      const address = text ? `#${text}` : location.pathname + location.search;
      history[this.isTyping ? "replaceState" : "pushState"](null, "", address);
    }
    this.isTyping = !isDone;
  }

  // Takes the state from the address, unless that names a part of the page.
  follow() {
    const text = decodeURIComponent(location.hash.slice(1));
    if (text && !isWritten(text)) {
      if (!this.desk.computed) this.draw();
      return;
    }
    return this.able(/mistake=/.test(text), () => {
      this.desk.restore(text);
      this.draw();
    });
  }

  // Does `then`, but before that loads what a mistake needs.
  async able(needsMistakes, then) {
    if (needsMistakes && this.mistakes) {
      if (!this.desk.computed) this.draw();
      this.bar.status.textContent = "Loading the known mistakes …";
      try {
        this.desk.lesson.wasm = await this.mistakes();
      } catch (error) {
        this.draw();
        this.bar.status.textContent = `The mistakes are not there: ${error.message}.`;
        return;
      }
      this.mistakes = null;
    }
    then();
  }

  // Finite differences follow a moment later, so that a number changes at once.
  draw() {
    clearTimeout(this.waiting);
    this.forget();
    const problem = this.tried(() => this.desk.compute());
    this.cells.drawAll();
    if (problem || !this.desk.checks) {
      this.show(problem, null);
      return;
    }
    this.bar.show(this.desk, this.cells.changed(), null, this.verdicts);
    this.waiting = setTimeout(() => {
      const failed = this.tried(() => this.desk.check());
      this.show(failed, failed ? null : this.desk.verdicts);
    }, this.isTyping ? 150 : 0);
  }

  // What is wrong if `compute` cannot be done; null if it can.
  tried(compute) {
    try {
      compute();
      return null;
    } catch (error) {
      return error.message;
    }
  }

  show(problem, verdicts) {
    this.verdicts = verdicts;
    this.drawNotes(verdicts ?? []);
    this.bar.show(this.desk, this.cells.changed(), problem, verdicts);
  }

  drawNotes(verdicts) {
    for (const { tensor, mark } of this.ends) {
      const found = verdicts.find((one) => one.gradient === tensor);
      mark.replaceChildren(...(found ? [note(found)] : []));
    }
  }
}

export const makeLive = (lesson, description, mistakes) => new Page(lesson, description, mistakes);
