// The beginning of the translator's page. Its engine and a model are loaded when they are needed; each model has an engine of its own.
import { engineOf } from "./load.mjs";
import { filesOf } from "./parts.mjs";
import { Translator } from "./translator.mjs";
import { TranslatorDesk } from "./translator_desk.mjs";

export function start(models, script) {
  const translatorOf = async (name, told) => {
    const engine = await engineOf(script, "translator_engine.js", "gradus_translate");
    return new Translator(engine, await filesOf(script, name, models[name], told));
  };
  return new TranslatorDesk(models, translatorOf, document.querySelector("#translator"));
}
