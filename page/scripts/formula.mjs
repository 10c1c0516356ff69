// The formulas of the numbers, as descriptions write them: "sum(k < 4: x[i,k] * w[k,j]) + b[j]" is row i, column j of a tensor. They explain a
// number and compute none of the page: the engine does that, and a test compares both.
//
// Terms are numbers, indices, x[i,j], sqrt exp abs sin cos relu max (a, b), sum(k < 4: ...), if(a < b, ..., ...) and if(a = b, ..., ...). A name that
// "where" explains is a list, words(i), or a part of the formula, s(i,m).

const TOKEN = /\s*(?:(\d+(?:\.\d+)?(?:e-?\d+)?)|([a-zA-Z][\w.]*)|([-+*/^(),:<=[\]]))/y;
const FUNCTIONS = { sqrt: Math.sqrt, exp: Math.exp, abs: Math.abs, sin: Math.sin, cos: Math.cos, relu: (x) => Math.max(0, x), max: Math.max };
const POWER = { "+": 1, "-": 1, "*": 2, "/": 2, "^": 3 };

function tokens(text) {
  const found = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match) throw new Error(`the formula "${text}" is wrong at "${text.slice(at)}"`);
    found.push(match[1] !== undefined ? Number(match[1]) : (match[2] ?? match[3]));
  }
  return found;
}

class Parser {
  constructor(text) {
    Object.assign(this, { text, waiting: tokens(text) });
  }

  fail() {
    throw new Error(`the formula "${this.text}" is wrong before "${this.waiting.join(" ")}"`);
  }

  take(token) {
    if (this.waiting[0] !== token) this.fail();
    return this.waiting.shift();
  }

  // Operators of at least this power; those of equal power from left to right.
  expression(power = 1) {
    let left = this.term();
    while ((POWER[this.waiting[0]] ?? 0) >= power) {
      const sign = this.waiting.shift();
      left = { kind: "binary", sign, left, right: this.expression(POWER[sign] + 1) };
    }
    return left;
  }

  list(end) {
    const all = [this.expression()];
    while (this.waiting[0] === ",") {
      this.waiting.shift();
      all.push(this.expression());
    }
    this.take(end);
    return all;
  }

  term() {
    const token = this.waiting.shift();
    if (typeof token === "number") return { kind: "number", value: token };
    if (token === "-") return { kind: "minus", of: this.expression(2) };
    if (token === "(") {
      const inner = this.expression();
      this.take(")");
      return inner;
    }
    if (!/^[a-zA-Z]/.test(token ?? "")) this.fail();
    return this.named(token);
  }

  named(name) {
    const next = this.waiting[0];
    if (next !== "[" && next !== "(") return { kind: "index", name };
    this.waiting.shift();
    if (next === "[") return { kind: "tensor", name, at: this.list("]") };
    if (name === "sum") return this.sum();
    if (name === "if") return this.choice();
    return { kind: name in FUNCTIONS ? "function" : "part", name, of: this.list(")") };
  }

  sum() {
    const index = this.waiting.shift();
    this.take("<");
    const below = this.waiting.shift();
    this.take(":");
    const of = this.expression();
    this.take(")");
    return { kind: "sum", index, below, of };
  }

  choice() {
    const left = this.expression();
    const sign = this.waiting.shift();
    if (sign !== "<" && sign !== "=") this.fail();
    const right = this.expression();
    this.take(",");
    const [yes, no] = this.list(")");
    return { kind: "choice", sign, left, right, yes, no };
  }
}

function parsed(text) {
  const parser = new Parser(text);
  const tree = parser.expression();
  if (parser.waiting.length) parser.fail();
  return tree;
}

// A term with its value and its text in numbers; `power` says how strongly its last operator binds.
const plain = (value, format) => ({ value, text: format(value), power: 4 });
const inBrackets = (term, power) => (term.power < power || term.text.startsWith("-") ? `(${term.text})` : term.text);

export class Formula {
  // `read(name, places)` gives the number of a tensor; `format` its text.
  constructor(text, where, read, format) {
    this.tree = parsed(text);
    this.where = Object.fromEntries(Object.entries(where ?? {}).map(([head, is]) => {
      const [name, ...indices] = head.split(/[(),]+/).filter(Boolean);
      return [name, { indices, is: typeof is === "string" ? parsed(is) : is }];
    }));
    Object.assign(this, { read, format });
  }

  // {value, text} of the number in row i, column j.
  at(i, j) {
    return this.term(this.tree, { i, j });
  }

  value(tree, indices) {
    return this.term(tree, indices).value;
  }

  term(tree, indices) {
    return this[tree.kind](tree, indices);
  }

  number({ value }) {
    return plain(value, String);
  }

  index({ name }, indices) {
    if (!(name in indices)) throw new Error(`a formula has no index ${name}`);
    return plain(indices[name], String);
  }

  tensor({ name, at }, indices) {
    return plain(this.read(name, at.map((one) => this.value(one, indices))), this.format);
  }

  minus({ of }, indices) {
    const inner = this.term(of, indices);
    return { value: -inner.value, text: `-${inBrackets(inner, 3)}`, power: 2 };
  }

  binary({ sign, left, right }, indices) {
    const [a, b] = [this.term(left, indices), this.term(right, indices)];
    const value = { "+": a.value + b.value, "-": a.value - b.value, "*": a.value * b.value, "/": a.value / b.value, "^": a.value ** b.value }[sign];
    const power = POWER[sign];
    const isSum = sign === "+" || sign === "-";
    const text = `${isSum && a.power >= 1 ? a.text : inBrackets(a, power)}${{ "*": "·", "^": "^" }[sign] ?? ` ${sign} `}${inBrackets(b, power + 1)}`;
    return { value, text, power };
  }

  function({ name, of }, indices) {
    const all = of.map((one) => this.term(one, indices));
    const text = all.map((one) => one.text).join(", ");
    return { value: FUNCTIONS[name](...all.map((one) => one.value)), text: `${name}(${text})`, power: 4 };
  }

  // What "where" explains is shown as its value.
  part({ name, of }, indices) {
    const { indices: names, is } = this.where[name] ?? {};
    if (!is) throw new Error(`a formula has no ${name}`);
    const values = of.map((one) => this.value(one, indices));
    if (Array.isArray(is)) return plain(is[values[0]], String);
    return plain(this.value(is, Object.fromEntries(names.map((one, n) => [one, values[n]]))), this.format);
  }

  // Terms that are the number 0, because they belong to another case, are left out of the text.
  sum({ index, below, of }, indices) {
    const all = Array.from({ length: below }, (_, n) => this.term(of, { ...indices, [index]: n }));
    const seen = all.filter((one) => one.text !== "0");
    const text = seen.map((one) => (one.text.startsWith("-") ? `(${one.text})` : one.text)).join(" + ");
    return { value: all.reduce((total, one) => total + one.value, 0), text: text || "0", power: seen.length > 1 ? 1 : (seen[0]?.power ?? 4) };
  }

  choice({ sign, left, right, yes, no }, indices) {
    const [a, b] = [this.value(left, indices), this.value(right, indices)];
    return this.term((sign === "<" ? a < b : a === b) ? yes : no, indices);
  }
}

// The formula of a description's entry, "..." or {"is": "...", "where": {...}}, on the numbers `value(tensor, place)` of a lesson.
export function formulaOf(lesson, entry, value, format) {
  const { is, where } = typeof entry === "string" ? { is: entry } : entry;
  const read = (name, at) => {
    const tensor = lesson.tensors.get(name);
    if (!tensor || at.length !== tensor.shape.length) throw new Error(`a formula has no ${name}[${at}]`);
    return value(tensor, at.length === 1 ? at[0] : at[0] * tensor.shape[1] + at[1]);
  };
  return new Formula(is, where, read, format);
}

// Row and column of a number: a vector is one row.
export const rowAndColumn = (tensor, place) => {
  const columns = tensor.shape.at(-1);
  return [Math.floor(place / columns), place % columns];
};
