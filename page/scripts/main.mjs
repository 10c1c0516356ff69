// The beginning: loads the engine beside this script, and makes the page's numbers live. The engine with the known mistakes is loaded when one is asked for.
import { lessonsOf } from "./engine.mjs";
import { engineOf, load } from "./load.mjs";
import { makeLive } from "./page.mjs";

// `script` has the address of the engine beside its own, and the chapter of the page.
export function start(descriptions, script) {
  const { chapter } = script.dataset;
  const mistakes = () => engineOf(script, "mistakes.js", "gradus_mistakes");
  return load(script, (wasm) => makeLive(lessonsOf(wasm).get(chapter), descriptions[chapter], mistakes));
}
