// Makes the numbers of one page live.
import { Address, copyAddress } from "./address.mjs";
import { bound, printed } from "./block.mjs";
import { Bar } from "./bar.mjs";
import { Cells } from "./cells.mjs";
import { note } from "./check.mjs";
import { Desk, isWritten, written } from "./desk.mjs";
import { element } from "../../app/serve/page/element.mjs";
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
    this.notice = null; // about the engine of the mistakes, until something else is done
    Object.assign(this, { description, mistakes });
    for (const name of description.switches ?? []) lesson.tensors.get(name).isSwitch = true;
    this.fill();
    this.bar = new Bar(lesson, description, {
      reset: () => this.reset(),
      check: () => this.go(() => { this.desk.checks = !this.desk.checks; }),
      mistake: (name) => this.put(lesson.ways.indexOf(name), () => this.remember(true)),
      link: copyAddress,
    });
    const article = document.querySelector("article");
    article.append(this.bar.element);
    const ends = [watch(this.desk, this.cells, article), explain(this.desk, this.cells, description.formulas ?? {}, article)];
    this.forget = () => ends.forEach((end) => end());
    this.address = new Address(isWritten, (text) => this.follow(text));
    this.address.begin();
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
    this.go(() => { this.desk.values[place] = value; }, isDone);
  }

  go(change, isDone = true) {
    change();
    this.notice = null;
    this.draw();
    this.remember(isDone);
  }

  reset() {
    this.asked = null;
    this.go(() => this.desk.reset());
  }

  // What is typed into one field is one step of the back button, and so is each button.
  remember(isDone) {
    const isOther = this.address.write(written(this.desk), !this.isTyping);
    this.isTyping = !isDone && (this.isTyping || isOther);
  }

  // Takes the state from the address: the numbers at once, the mistake when its engine is there.
  follow(text) {
    this.desk.restore(text);
    this.isTyping = false;
    return this.put(this.desk.way, () => this.address.write(written(this.desk), false));
  }

  // Puts the mistake of this number in, 0 for none, then calls `done`. The engine that has the mistakes is loaded before the first one; what the
  // reader does meanwhile stays, and of several mistakes the last one counts.
  async put(way, done) {
    const mine = (this.asked = {});
    let problem = null;
    if (way && this.mistakes) {
      this.desk.way = 0;
      this.notice = "Loading the known mistakes …";
      this.draw();
      this.bar.select.value = this.desk.lesson.ways[way];
      problem = await this.loaded();
      if (mine !== this.asked) return;
    }
    this.desk.way = problem ? 0 : way;
    this.notice = problem && `The mistakes are not there: ${problem}.`;
    this.draw();
    if (!problem) done();
  }

  // Loads the engine of the mistakes, once for all who wait. Returns what is wrong, or null.
  async loaded() {
    try {
      this.loading ??= this.mistakes();
      this.desk.lesson.wasm = await this.loading;
      this.mistakes = null;
      return null;
    } catch (error) {
      this.loading = null; // the next one tries again
      return error.message;
    }
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
    this.bar.show(this.desk, this.cells.changed(), this.notice, this.verdicts);
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
    this.bar.show(this.desk, this.cells.changed(), problem ?? this.notice, verdicts);
  }

  drawNotes(verdicts) {
    for (const { tensor, mark } of this.ends) {
      const found = verdicts.find((one) => one.gradient === tensor);
      mark.replaceChildren(...(found ? [note(found)] : []));
    }
  }
}

export const makeLive = (lesson, description, mistakes) => new Page(lesson, description, mistakes);
