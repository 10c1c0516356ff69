// The state of a page: which numbers the reader has changed, which mistake is in, whether gradients are checked. As a text it is the end of
// the page's address, so a link restores it.

import { checked } from "./check.mjs";

// "w.3:0.5" for each changed number, then the mistake and the check.
export function written(desk) {
  const edits = [];
  for (const tensor of desk.lesson.given) {
    for (let i = 0; i < tensor.size; ++i) {
      const value = desk.values[tensor.first + i];
      if (!Object.is(value, desk.lesson.start[tensor.first + i])) edits.push(`${tensor.name}.${i}:${value}`);
    }
  }
  const parts = [];
  if (edits.length) parts.push(`live=${edits.join(",")}`);
  if (desk.way) parts.push(`mistake=${desk.lesson.ways[desk.way]}`);
  if (desk.checks) parts.push("check");
  return parts.join("&");
}

// Whether an address ends in such a text; else it names a part of the page.
export const isWritten = (text) => /^(live=|mistake=|check$)/.test(text);

export class Desk {
  constructor(lesson) {
    this.lesson = lesson;
    this.reset();
  }

  reset() {
    this.values = this.lesson.start.slice();
    this.way = 0;
    this.checks = false;
  }

  // Takes the state from a text of `written`. What it does not know it leaves out: a link may be older than the page.
  restore(text) {
    this.reset();
    for (const part of text.split("&")) {
      const [key, value = ""] = part.split("=");
      if (key === "check") this.checks = true;
      if (key === "mistake") this.way = Math.max(0, this.lesson.ways.indexOf(value));
      if (key === "live") value.split(",").forEach((edit) => this.edit(edit));
    }
  }

  edit(text) {
    const [, name, place, value] = text.match(/^([\w.]+)\.(\d+):(\S+)$/) ?? [];
    const tensor = this.lesson.given.find((one) => one.name === name);
    const number = Number(value);
    if (tensor && Number(place) < tensor.size && Number.isFinite(number)) this.values[tensor.first + Number(place)] = number;
  }

  // Computes all numbers anew. `atStart` is what the page prints.
  compute() {
    this.computed = this.lesson.run(this.values, this.way);
    this.atStart ??= this.lesson.run(this.lesson.start);
  }

  // The gradients by finite differences: two runs for each number, so it takes longer.
  check() {
    this.verdicts = checked(this);
  }

  get isChanged() {
    return this.way > 0 || this.lesson.start.some((value, i) => !Object.is(value, this.values[i]));
  }
}

// Whether two numbers differ by more than the rounding of a sum.
export const differ = (a, b) => !(Object.is(a, b) || Math.abs(a - b) <= 1e-12 * Math.max(1, Math.abs(a), Math.abs(b)));
