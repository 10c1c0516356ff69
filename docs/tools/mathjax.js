// Reads formulas with MathJax's TeX reader, without a browser. A JSON list of [formula, displayed] comes in; a list with the complaint
// about each, or null, goes out.
//
//     node mathjax.js /usr/share/javascript/mathjax < formulas.json
const fs = require("fs");
const vm = require("vm");
const root = process.argv[2];

// As much of a browser as MathJax asks for before it reads a formula. A script that is added to the page runs at once.
const element = (name) => ({ nodeName: name.toUpperCase(), style: {}, styleSheet: { cssText: "" }, setAttribute() {}, removeChild() {},
  getElementsByTagName: (wanted) => wanted === "script" ? [{ src: `${root}/MathJax.js`, innerHTML: "" }] : [],
  appendChild(node) { if (node.src) run(node.src.replace(/\?.*/, "")); return node; } });
const head = element("head");
const document = { ...element("document"), head, body: element("body"), childNodes: [head], readyState: "complete", location: { hash: "" },
  createElement: element, createTextNode: () => element("text"), getElementById: () => null };
const window = {
  document, navigator: { userAgent: "", platform: "" }, setTimeout, clearTimeout, console, addEventListener() {},
  MathJax: { root, jax: ["input/TeX"], extensions: ["TeX/AMSmath.js", "TeX/AMSsymbols.js"], messageStyle: "none",
             skipStartupTypeset: true } };
window.window = window;
const page = vm.createContext(window);

function run(file) {
  vm.runInContext(fs.readFileSync(file, "utf8"), page, file);
}

function complaint([formula, displayed]) {
  try {
    window.MathJax.InputJax.TeX.resetEquationNumbers(0, false);
    window.MathJax.InputJax.TeX.Parse(formula, { display: displayed }).mml();
    return null;
  } catch (problem) {
    return problem.message || String(problem);
  }
}

run(`${root}/MathJax.js`);
const parts = ["element/mml/jax.js", "input/TeX/jax.js"].map((part) => `[MathJax]/jax/${part}`);
window.MathJax.Hub.Queue(...parts.map((part) => ["Require", window.MathJax.Ajax, part]), () => {
  const formulas = JSON.parse(fs.readFileSync(0, "utf8"));
  console.log(JSON.stringify(formulas.map(complaint)));
  process.exit(0);
});
