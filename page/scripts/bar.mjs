// The bar at the lower edge: what has changed, and the buttons.
import { element } from "../../app/serve/page/element.mjs";

const JUDGES = {
  "finite-differences": "finite differences", "dual-numbers": "dual numbers", golden: "golden values", parity: "parity of the devices",
  contract: "the contract of a leaf",
};

const joined = (words) => (words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);

// "Rejected by golden values and dual numbers. Finite differences accept it."
function verdict(judges) {
  const names = (minus) => judges.filter((judge) => judge.startsWith("-") === minus).map((judge) => JUDGES[judge.replace(/^-/, "")]);
  const blind = joined(names(true));
  return `Rejected by ${joined(names(false))}.${blind ? ` Not seen by ${blind}.` : ""}`;
}

const HINT = "These numbers are live: change one that has a line below it. Point at one to see what it depends on.";

const numbers = (count) => `${count} number${count === 1 ? "" : "s"}`;

export class Bar {
  // `actions`: reset(), mistake(name), check(isOn), link()
  constructor(lesson, { mistakes, hint = HINT }, actions) {
    Object.assign(this, { mistakes, hint });
    this.status = element("p", { role: "status", className: "live-status" });
    this.why = element("p", { className: "live-why", hidden: true });
    this.reset = element("button", { type: "button", textContent: "Start again", onclick: actions.reset });
    this.check = element("button", { type: "button", textContent: "Check the gradients", "aria-pressed": "false", onclick: () => actions.check() });
    this.link = element("button", { type: "button", textContent: "Copy link", onclick: async () => {
      this.link.textContent = (await actions.link()) ? "Copied" : "It is in the address bar";
      setTimeout(() => { this.link.textContent = "Copy link"; }, 1500);
    } });
    const options = lesson.ways.map((name) => element("option", { value: name, textContent: name || "no mistake" }));
    this.select = element("select", { "aria-label": "Known mistake in the code", onchange: () => actions.mistake(this.select.value) }, ...options);
    const choice = element("label", { className: "live-choice", hidden: lesson.ways.length === 1 }, "Break it: ", this.select);
    this.element = element("section", { className: "live-bar", "aria-label": "Live numbers" }, this.status, this.why,
      element("div", { className: "live-buttons" }, this.reset, this.check, choice, this.link));
  }

  show(desk, changed, problem, verdicts) {
    const way = desk.lesson.ways[desk.way];
    const mistake = this.mistakes[way];
    this.reset.disabled = !desk.isChanged && !desk.checks;
    this.check.setAttribute("aria-pressed", desk.checks);
    this.select.value = way;
    this.status.textContent = problem ?? this.words(desk, changed, verdicts);
    this.why.hidden = !mistake;
    this.why.textContent = mistake ? `${mistake.words} ${verdict(mistake.judges)}` : "";
  }

  words(desk, changed, verdicts) {
    if (!desk.isChanged && !verdicts) return this.hint;
    const parts = [];
    if (changed.given) parts.push(`You changed ${numbers(changed.given)}; ${desk.way ? "with that and the mistake " : ""}${numbers(changed.computed)} followed.`);
    else if (desk.way) parts.push(changed.computed ? `The mistake changes ${numbers(changed.computed)}.` : "With these numbers the mistake changes nothing: change some.");
    const wrong = verdicts?.filter((one) => !one.isRight).map((one) => one.gradient.name);
    if (wrong?.length) parts.push(`Finite differences disagree with ${joined(wrong)}.`);
    else if (verdicts) parts.push("Finite differences agree with every gradient.");
    return parts.join(" ");
  }
}
