// The beginning: loads the engine beside this script, and makes the page's numbers live.
import { lessonsOf } from "./engine.mjs";
import { load } from "./load.mjs";
import { makeLive } from "./page.mjs";

// `script` has the address of the engine beside its own, and the chapter of the page.
export function start(descriptions, script) {
  const { chapter } = script.dataset;
  return load(script, "engine.js", "gradus_live", (wasm) => makeLive(lessonsOf(wasm).get(chapter), descriptions[chapter]));
}
