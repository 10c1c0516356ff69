// The beginning of the whole model's page.
import { load } from "./load.mjs";
import { Model } from "./model.mjs";
import { Walk } from "./walk.mjs";

export function start(script) {
  return load(script, (wasm) => new Walk(new Model(wasm), document.querySelector("#walk"), script.dataset.top ?? null));
}
