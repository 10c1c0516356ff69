// What the pages do: dark or light, the side bar on a phone, search, keys, formulas. Without a script everything can still be read.
"use strict";

const base = document.currentScript.dataset.top;
const root = document.documentElement;
const one = (selector) => document.querySelector(selector);

// Dark and light: the reader's choice stays; until there is one, the system's is followed.
function show(theme) {
  root.className = `${theme} ${theme}-mode script`;
  one(".theme").setAttribute("aria-pressed", theme === "dark");
}

one(".theme").addEventListener("click", () => {
  const theme = root.classList.contains("dark") ? "light" : "dark";
  try { localStorage.setItem("gradus-theme", theme); } catch (problem) { /* a private window: the choice lasts for this page */ }
  show(theme);
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (system) => {
  let chosen = null;
  try { chosen = localStorage.getItem("gradus-theme"); } catch (problem) { /* none */ }
  if (!chosen) show(system.matches ? "dark" : "light");
});

// The side bar: a button opens it on a narrow window; the current page is in sight.
const pages = one(".pages");
one(".menu").addEventListener("click", (event) => {
  const open = pages.classList.toggle("open");
  event.currentTarget.setAttribute("aria-expanded", open);
});
const current = pages.querySelector("[aria-current]");
if (current && current.offsetTop > pages.clientHeight - 100) pages.scrollTop = current.offsetTop - pages.clientHeight / 3;

// The part that is being read is marked in the list of parts.
const parts = [...document.querySelectorAll(".parts a")];
const headings = parts.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
function markPart() {
  const above = headings.filter((heading) => heading.getBoundingClientRect().top < 120);
  parts.forEach((link, index) => link.classList.toggle("here", index === Math.max(0, above.length - 1)));
}
if (parts.length) {
  addEventListener("scroll", markPart, { passive: true });
  markPart();
}

// Search: the index is a script of its own, which works from a file, too. It is loaded when the field is first used.
const field = one(".search input");
const found = one(".found");
let index = null;

function load() {
  if (index) return;
  index = [];
  const script = document.createElement("script");
  script.src = `${base}/site/search.js`;
  script.onload = () => {
    index = window.searchIndex.map(([address, page, part, text]) => ({ address, page, part, text, small: [part, page, text].map((words) => words.toLowerCase()) }));
    search();
  };
  document.head.append(script);
}

// Every word must occur; a hit in a heading counts more than one in a title, and that more than one in the text.
function rank(entry, words) {
  let sum = 0;
  for (const word of words) {
    const [part, page, text] = entry.small;
    const points = (part === word ? 60 : 0) + (part.includes(word) ? 20 : 0) + (page.includes(word) ? 6 : 0) + (text.includes(word) ? 1 : 0);
    if (points === 0) return 0;
    sum += points;
  }
  return sum;
}

function marked(text, words) {
  const span = document.createElement("span");
  const first = text.toLowerCase().indexOf(words[0]);
  const start = Math.max(0, first - 60);
  const piece = (start ? "… " : "") + text.slice(start, start + 160);
  const pattern = new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "gi");
  let end = 0;
  for (const match of piece.matchAll(pattern)) {
    const mark = document.createElement("mark");
    mark.textContent = match[0];
    span.append(piece.slice(end, match.index), mark);
    end = match.index + match[0].length;
  }
  span.append(piece.slice(end));
  return span;
}

function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  found.hidden = words.length === 0;
  found.replaceChildren();
  if (!words.length) return;
  const hits = index.map((entry) => [rank(entry, words), entry]).filter(([points]) => points > 0);
  hits.sort((a, b) => b[0] - a[0]);
  for (const [, entry] of hits.slice(0, 30)) {
    const link = document.createElement("a");
    const title = document.createElement("strong");
    link.href = `${base}/${entry.address}`;
    title.textContent = entry.part === entry.page ? entry.page : `${entry.part} · ${entry.page}`;
    link.append(title, marked(entry.text, words));
    found.append(link);
  }
  if (!hits.length) found.append(Object.assign(document.createElement("p"), { textContent: index.length ? "Nothing found." : "Loading …" }));
}

field.addEventListener("focus", load);
field.addEventListener("input", search);
field.addEventListener("keydown", (event) => {
  const links = [...found.querySelectorAll("a")];
  const at = links.findIndex((link) => link.classList.contains("chosen"));
  if (event.key === "Enter" && links.length) links[Math.max(at, 0)].click();
  if (event.key === "Escape") { field.value = ""; search(); field.blur(); }
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  event.preventDefault();
  const next = Math.min(links.length - 1, Math.max(0, at + (event.key === "ArrowDown" ? 1 : -1)));
  links.forEach((link, number) => link.classList.toggle("chosen", number === next));
  links[next]?.scrollIntoView({ block: "nearest" });
});
document.addEventListener("click", (event) => { if (!event.target.closest(".search")) found.hidden = true; else if (field.value) found.hidden = false; });

// Keys: "/" searches, the arrows turn the page.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (event.target.closest("input, pre, .formula, .table, summary")) return;
  if (event.key === "/") { event.preventDefault(); field.focus(); }
  if (event.key === "ArrowLeft") one('.turn [rel="prev"]')?.click();
  if (event.key === "ArrowRight") one('.turn [rel="next"]')?.click();
});

// A button beside each piece of code copies it.
if (navigator.clipboard) {
  for (const code of document.querySelectorAll("article > pre:not(.file)")) {
    const block = Object.assign(document.createElement("div"), { className: "block" });
    const button = Object.assign(document.createElement("button"), { className: "copy", type: "button", textContent: "Copy" });
    code.replaceWith(block);
    block.append(code, button);
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
  }
}

// Formulas: MathJax draws them as SVG, which needs no fonts. It is loaded where there are any.
if (one(".math")) {
  window.MathJax = {
    messageStyle: "none", showMathMenu: false, displayAlign: "center", SVG: { scale: 92, linebreaks: { automatic: false } },
    tex2jax: { inlineMath: [["\\(", "\\)"]], displayMath: [["\\[", "\\]"]] },
    AuthorInit() {  // an equation that the address names is found again when the formulas have their height
      MathJax.Hub.Register.StartupHook("End", () => { if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView(); });
    },
  };
  const script = document.createElement("script");
  script.src = `${base}/site/mathjax/MathJax.js?config=TeX-AMS_SVG`;
  document.head.append(script);
}
show(root.classList.contains("dark") ? "dark" : "light");
