// The form of the translator's page: direction, text, beams, examples.
import { element } from "../../app/serve/page/element.mjs";

export const BEAMS = { least: 1, most: 10, usual: 5 };

export const languagesOf = (name) => name.split("-");

export class Form {
  // `models` by name: {title, examples}; `ask()` hears that a translation is wanted.
  constructor(models, ask) {
    Object.assign(this, { models, ask });
    this.directions = Object.keys(models).map((name) => element("input", { type: "radio", name: "direction", value: name, onchange: () => this.turn() }));
    this.text = element("textarea", { id: "translator-text", rows: 2, spellcheck: false, maxLength: 2000, "aria-describedby": "translator-keys" });
    this.beam = element("input", { type: "number", min: BEAMS.least, max: BEAMS.most, onchange: () => ask() });
    this.examples = element("div", { className: "live-buttons", role: "group", "aria-label": "Examples" });
    this.link = element("button", { type: "button", textContent: "Copy a link" });
    this.element = element("form", { className: "translator-form", onsubmit: (event) => this.submit(event) },
      element("fieldset", {}, element("legend", { textContent: "Direction" }), ...this.directions.map((input) => element("label", {}, input, models[input.value].title))),
      element("label", { htmlFor: this.text.id, textContent: "Text, a sentence in each line" }), this.text,
      element("p", { className: "note", id: "translator-keys", textContent: "Enter translates; Shift+Enter begins another line. These models know descriptions of photos." }),
      element("div", { className: "live-buttons" }, element("button", { className: "translator-go", textContent: "Translate" }),
        element("label", { title: "1 is greedy search" }, "Beams ", this.beam), this.link),
      this.examples);
    this.text.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) this.submit(event);
    });
  }

  submit(event) {
    event.preventDefault();
    this.ask();
  }

  get direction() {
    return this.directions.find((input) => input.checked).value;
  }

  // What is asked for.
  get state() {
    const beam = Math.round(Number(this.beam.value)) || BEAMS.usual;
    return { direction: this.direction, beam: Math.min(BEAMS.most, Math.max(BEAMS.least, beam)), text: this.text.value };
  }

  show({ direction, beam, text }) {
    for (const input of this.directions) input.checked = input.value === direction;
    this.beam.value = String(beam);
    this.text.value = text;
    this.showExamples();
  }

  // Another direction has another language: an example of it, unless the text is the reader's own.
  turn() {
    const own = Object.values(this.models).every(({ examples }) => !examples.includes(this.text.value));
    if (!own) [this.text.value] = this.models[this.direction].examples;
    this.showExamples();
    this.ask();
  }

  showExamples() {
    const [lang] = languagesOf(this.direction);
    this.text.lang = lang;
    this.examples.replaceChildren(...this.models[this.direction].examples.map((text) => element("button", {
      type: "button", lang, textContent: text, onclick: () => {
        this.text.value = text;
        this.ask();
      },
    })));
  }
}
