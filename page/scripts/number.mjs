// Numbers as the lessons print them, and as readers type them.

// C's "%.*f": of two nearest numbers it takes the even one, toFixed the larger one. A double lies in the middle of two numbers of `places`
// decimals only if it is an odd multiple of 1 / 2^(places + 1).
function rounded(x, places) {
  const halves = Math.abs(x) * 2 ** (places + 1);
  const below = Math.floor(Math.abs(x) * 10 ** places);
  if (halves % 2 !== 1 || below % 2 === 1) return x.toFixed(places);
  return (x < 0 ? "-" : "") + (below / 10 ** places).toFixed(places);
}

// With `places` decimals, as C prints it; very large ones in few columns.
export function shown(x, places) {
  if (Number.isNaN(x)) return "nan";
  if (!Number.isFinite(x)) return x > 0 ? "inf" : "-inf";
  if (Math.abs(x) >= 1e5) return x.toExponential(1).replace("e+", "e");
  return rounded(x + 0, places);
}

// C's "%.1e": an exponent of two digits at least.
const scientific = (x, places) => (Number.isFinite(x) ? x.toExponential(places).replace(/e([-+])(\d)$/, "e$10$2") : shown(x, places));

// The function that prints numbers as `text` is printed.
export function formatOf(text) {
  const exponent = text.match(/\.(\d+)e/);
  if (exponent) return (x) => scientific(x, exponent[1].length);
  const places = /^-?\d+$/.test(text) ? 0 : (text.split(".")[1]?.length ?? 2);
  return (x) => shown(x, places);
}

// All digits that matter, the shortest text that gives this number again.
export const whole = (x) => (Object.is(x, -0) ? "0" : String(x));

// The number that a reader typed, or null. A comma may be the decimal point, and the minus sign that of typographers.
export function typed(text) {
  const plain = text.trim().replace("\u2212", "-").replace(/^([-+]?\d*),(\d+)$/, "$1.$2");
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain)) return null;
  const x = Number(plain);
  return Number.isFinite(x) ? x : null;
}

const END = "<eos>";

// The words with these numbers, up to the one that ends a sentence.
export function sentence(ids, words) {
  const end = ids.findIndex((id) => words[id] === END);
  return [...ids].slice(0, end < 0 ? ids.length : end).map((id) => words[id]).join(" ");
}
