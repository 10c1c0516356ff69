// A model in parts: each is a script, because a page that is a file may load nothing else. So the page knows how much has come.
import { loaded, unpacked } from "./load.mjs";

// The files of the model `name`, of so many `bytes` each, from scripts beside `script`. `told(share)` hears how much has come.
export async function filesOf(script, name, { parts, bytes }, told) {
  const names = Array.from({ length: parts }, (_, i) => `${name}.${i}`);
  for (const [i, part] of names.entries()) {
    told(i / parts);
    await loaded(script, `${part}.js`);
  }
  const all = globalThis.gradus_parts;
  const model = new Uint8Array(await unpacked(...names.map((part) => all[part])));
  for (const part of names) delete all[part];
  return cut(model, bytes);
}

// The files of a model that lie one after the other.
export function cut(model, bytes) {
  let end = 0;
  return bytes.map((size) => model.subarray(end, (end += size)));
}
