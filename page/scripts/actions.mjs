// What a reader did with the whole model, as a text for the address: how it began, then steps and edits in their order. Done again, they give the same
// model, because nothing of a training is left to chance.

const OPTIMISERS = ["sgd", "adam"];
const BEGINNING = { task: 0, without: 0, seed: 0, pair: 0 };

export class Actions {
  constructor() {
    this.begin({});
  }

  begin(beginning) {
    this.beginning = { ...BEGINNING, ...beginning };
    this.done = [];
  }

  // Steps by the same plan in a row are one action.
  addSteps(count, plan) {
    const last = this.done.at(-1);
    const text = Actions.plan(plan);
    if (last?.plan === text) last.count += count;
    else this.done.push({ plan: text, count });
  }

  // Of several edits of one number in a row the last one counts.
  addEdit(name, place, value) {
    const last = this.done.at(-1);
    if (last?.name === name && last.place === place) last.value = value;
    else this.done.push({ name, place, value });
  }

  static plan({ optimiser, peak, warmup, smoothing }) {
    return [OPTIMISERS[optimiser], peak, warmup, smoothing].join(",");
  }

  static planOf(text) {
    const [optimiser, peak, warmup, smoothing] = text.split(",");
    return { optimiser: OPTIMISERS.indexOf(optimiser), peak: Number(peak), warmup: Number(warmup), smoothing: Number(smoothing) };
  }

  get text() {
    const parts = Object.entries(this.beginning).filter(([key, value]) => value !== BEGINNING[key]).map(([key, value]) => `${key}=${value}`);
    if (this.done.length) parts.push(`do=${this.done.map((one) => (one.plan ? `${one.plan}*${one.count}` : `${one.name}.${one.place}:${one.value}`)).join(";")}`);
    return parts.join("&");
  }

  // Takes the state from such a text. What it does not know it leaves out.
  read(text) {
    const fields = Object.fromEntries(text.split("&").map((part) => part.split("=")));
    this.begin(Object.fromEntries(Object.keys(BEGINNING).filter((key) => /^\d+$/.test(fields[key] ?? "")).map((key) => [key, Number(fields[key])])));
    for (const action of (fields.do ?? "").split(";")) {
      const [, plan, count] = action.match(/^((?:sgd|adam),[\d.e-]+,\d+,[\d.e-]+)\*(\d+)$/) ?? [];
      const [, name, place, value] = action.match(/^([\w.]+)\.(\d+):(-?[\d.e+-]+)$/) ?? [];
      if (plan) this.done.push({ plan, count: Number(count) });
      else if (name && Number.isFinite(Number(value))) this.done.push({ name, place: Number(place), value: Number(value) });
    }
  }
}
