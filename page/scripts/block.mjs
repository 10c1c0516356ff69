// Finds the numbers of a tensor in a text that a demo has printed.
//
// A description lists the lines that matter, in their order: ["x (N, D)", "x"] is a heading with the rows of x below it, "x[1]" means
// one row; ["mean {mean[1]}"] is a line with numbers in it. In {ids[0]:german} the number is shown as a word of the description's list "german";
// {ids:german} shows all numbers of a tensor so, up to the word that ends a sentence.

const NUMBER = /-?(?:\d+\.\d+|nan|inf)/g;

// The places of a reference, "x", "x[1]" or "x[1,2]": tensor, and the rows of its numbers.
export function reference(lesson, text) {
  const [, name, row, column] = text.match(/^([\w.]+)(?:\[(\d+)(?:,(\d+))?\])?$/) ?? [];
  const tensor = lesson.tensors.get(name);
  if (!tensor) throw new Error(`no tensor ${text} in ${lesson.chapter}`);
  const columns = tensor.shape.length === 1 ? (row === undefined ? tensor.shape[0] : 1) : tensor.shape[1];
  const all = Array.from({ length: tensor.size / columns }, (_, i) => Array.from({ length: columns }, (__, j) => i * columns + j));
  if (row === undefined) return { tensor, rows: all };
  return { tensor, rows: [column === undefined ? all[row] : [all[row][column]]] };
}

// Cuts a line at its numbers: pieces are texts and cells {tensor, place, text, lead}; `lead` columns before a number belong to it.
function cut(line, wanted, lead) {
  const found = [...line.matchAll(NUMBER)].slice(-wanted.length);
  if (found.length !== wanted.length) throw new Error(`"${line}" has not ${wanted.length} numbers`);
  const pieces = [];
  let end = 0;
  found.forEach((match, i) => {
    const spaces = line.slice(end, match.index).match(/ *$/)[0].length;
    const own = Math.min(spaces, Math.max(0, lead - match[0].length));
    pieces.push(line.slice(end, match.index - own), { ...wanted[i], text: match[0], lead: own });
    end = match.index + match[0].length;
  });
  return [...pieces, line.slice(end)];
}

const COLUMN = 7; // of a table: "%7.2f"

// The cell of "mean[1]", "ids[0]:german" or "ids:german", without its text.
function cellOf(lesson, text, vocabularies) {
  const [ref, list] = text.split(":");
  const { tensor, rows } = reference(lesson, ref);
  return { tensor, place: rows[0][0], lead: 0, words: list && vocabularies[list], isSentence: Boolean(list) && ref === tensor.name };
}

const TEXT = (cell) => (cell.isSentence ? "(.*)" : cell.words ? "(\\S+)" : "(-?(?:\\d+(?:\\.\\d+(?:e[-+]\\d+)?)?|nan|inf))");

// A line with numbers in it: its own words must be there.
function template(lesson, line, pattern, vocabularies) {
  const words = pattern.split(/\{[^}]*\}/);
  const cells = [...pattern.matchAll(/\{([^}]*)\}/g)].map((one) => cellOf(lesson, one[1], vocabularies));
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const match = line.match(new RegExp(`^${escaped.map((word, i) => word + (cells[i] ? TEXT(cells[i]) : "")).join("")}$`));
  if (!match) return null;
  return [words[0], ...cells.flatMap((cell, i) => [{ ...cell, text: match[i + 1] }, words[i + 1]])];
}

// The text as lines of pieces. Lines that the description does not list stay texts. `after` of a line names the tensor whose rows end there.
// Throws an Error if a listed line is missing, because then page and description differ.
export function bound(lesson, text, listed, vocabularies = {}) {
  const lines = [];
  const waiting = [...listed];
  const rows = [];
  for (const line of text.split("\n")) {
    if (rows.length) {
      const { tensor, places, isLast } = rows.shift();
      lines.push({ pieces: cut(line, places.map((place) => ({ tensor, place })), COLUMN), after: isLast ? tensor : null });
      continue;
    }
    const [pattern, ref] = waiting[0] ?? [];
    const inLine = pattern && !ref ? template(lesson, line, pattern, vocabularies) : null;
    if (inLine || (ref && line === pattern)) waiting.shift();
    if (ref && line === pattern) {
      const found = reference(lesson, ref);
      found.rows.forEach((places, i) => rows.push({ tensor: found.tensor, places, isLast: i === found.rows.length - 1 && ref === found.tensor.name }));
    }
    lines.push({ pieces: inLine ?? [line], after: null });
  }
  if (waiting.length) throw new Error(`${lesson.chapter}: no line "${waiting[0][0]}"`);
  return lines;
}

// The text of a tensor as a demo would print it, to show one that the page does not print.
export function printed(tensor, title, numbers, labels, format) {
  const columns = tensor.shape.at(-1);
  const lines = [title];
  for (let i = 0; i < tensor.size / columns; ++i) {
    const row = Array.from({ length: columns }, (_, j) => format(numbers[tensor.first + i * columns + j]).padStart(COLUMN));
    lines.push(`  ${(labels?.[i] ?? "").padEnd(8)}${row.join("")}`);
  }
  return lines;
}
