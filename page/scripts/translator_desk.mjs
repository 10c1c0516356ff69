// The page of the translator: it loads a model when its direction is chosen, translates, and shows what is inside.
import { readable, scroller } from "../../app/serve/page/element.mjs";
import { part, shown_sentence } from "../../app/serve/page/sentence.mjs";
import { Address, copyAddress } from "./address.mjs";
import { element } from "../../app/serve/page/element.mjs";
import { BEAMS, Form, languagesOf } from "./translator_form.mjs";
import { treeOf } from "./tree.mjs";

const STATE = /^translate=([a-z]+-[a-z]+),(\d+):(.*)$/s;
const PIECES = "What the model reads, and what it writes: words, or parts of rare ones. ␣ is a space.";
const TREE = "A column is a step, a box a beam that it keeps, the best at the top; the more colour, the more probable its piece. A round box is an end. "
  + "A thick line leads to the translation. ␣ is a space.";

const pieces = (texts, lang) => element("p", { lang }, ...texts.map((text) => element("span", { className: "chip", textContent: readable(text) })));

const breath = () => new Promise((resolve) => { setTimeout(resolve, 0); });

export class TranslatorDesk {
  // `translatorOf(name, told)` loads a model; `told(share)` hears how much of it has come.
  constructor(models, translatorOf, root) {
    Object.assign(this, { models, translatorOf, loading: new Map() });
    this.form = new Form(models, () => this.go(this.form.state));
    this.status = element("p", { className: "translator-status", role: "status" });
    this.progress = element("progress", { max: 1, hidden: true, "aria-label": "The model is loading" });
    this.answer = element("section", { "aria-label": "Translation" });
    this.form.link.addEventListener("click", () => this.copy());
    root.append(this.form.element, this.progress, this.status, this.answer);
    this.address = new Address((text) => STATE.test(text), (text) => this.go(this.stateOf(text), false));
    this.address.begin();
  }

  // The beginning has the page's own address.
  addressOf({ direction, beam, text }) {
    const begin = this.stateOf("");
    const isBegin = direction === begin.direction && beam === begin.beam && text === begin.text;
    return isBegin ? "" : `translate=${direction},${beam}:${text}`;
  }

  // The state that an address tells, or the beginning.
  stateOf(address) {
    const [, direction, beam, text] = address.match(STATE) ?? [];
    const [first] = Object.keys(this.models);
    const known = this.models[direction] ? direction : first;
    const size = Number(beam ?? BEAMS.usual);
    return { direction: known, beam: Math.min(BEAMS.most, Math.max(BEAMS.least, size)), text: text ?? this.models[known].examples[0] };
  }

  // Loads each model once; one that could not be loaded may be tried again.
  translator(direction) {
    if (!this.loading.has(direction)) {
      const told = (share) => { this.progress.value = share; };
      this.loading.set(direction, this.translatorOf(direction, told).catch((error) => {
        this.loading.delete(direction);
        throw error;
      }));
    }
    return this.loading.get(direction);
  }

  // Translates what `state` asks for, unless something else is wanted meanwhile. `isStep`: the back button takes it back.
  go(state, isStep = true) {
    this.form.show(state);
    this.address.write(this.addressOf(state), isStep);
    const mine = (this.latest = (this.latest ?? 0) + 1);
    this.busy = this.run(state, () => mine === this.latest).catch((error) => {
      if (mine === this.latest) this.say(`The translator does not work here: ${error.message}.`);
    }).finally(() => { if (mine === this.latest) this.progress.hidden = true; });
    return this.busy;
  }

  say(text) {
    this.status.textContent = text;
  }

  async run(state, isWanted) {
    this.say(`Loading the model ${this.models[state.direction].title} …`);
    this.progress.hidden = false;
    const translator = await this.translator(state.direction);
    await breath(); // the text field shows what was typed
    if (!isWanted()) return;
    const lines = state.text.split("\n").filter((line) => line.trim());
    const begin = performance.now();
    const sentences = [];
    let ms = 0;
    for (const line of lines) {
      const before = performance.now();
      translator.translate(line, state.beam);
      ms += performance.now() - before;
      sentences.push(translator.inside());
      if (performance.now() - begin > 100) await breath();
      if (!isWanted()) return;
    }
    this.answer.replaceChildren(...sentences.map((sentence) => this.shown(sentence, languagesOf(state.direction), lines.length === 1)));
    this.say(lines.length ? `Translated in ${Math.ceil(ms)} ms.` : "There is no text.");
  }

  shown(sentence, languages, isOpen) {
    const made = shown_sentence(sentence, languages, isOpen);
    if (sentence.tokens.length) {
      const [source, target] = [sentence.source_tokens, sentence.tokens.map(({ text }) => text)];
      made.append(part("The pieces", PIECES, element("div", {}, pieces(source, languages[0]), pieces(target, languages[1])), isOpen));
    }
    if (sentence.tree) made.append(part("The search as a tree", TREE, scroller("The search as a tree", treeOf(sentence.tree, sentence.tokens.map(({ text }) => text))), isOpen));
    return made;
  }

  async copy() {
    this.say((await copyAddress()) ? "The link is copied." : "The link is in the address bar.");
  }
}
