// The beginning: loads the engine beside this script, and makes the page's numbers live.
import { lessonsOf } from "./engine.mjs";
import { makeLive } from "./page.mjs";
import { element } from "./element.mjs";

// A module of a few bytes that uses SIMD: whether the browser can run the engine.
const SIMD = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

function loaded(address) {
  return new Promise((resolve, reject) => {
    const script = element("script", { src: address, onload: resolve, onerror: () => reject(new Error(`${address} is missing`)) });
    document.head.append(script);
  });
}

// `script` has the address of the engine beside its own, and the chapter of the page.
export async function start(descriptions, script) {
  const { chapter } = script.dataset;
  const status = element("p", { role: "status", className: "live-bar", textContent: "Loading the live numbers …" });
  document.querySelector("article").append(status);
  try {
    if (!globalThis.WebAssembly?.validate(SIMD)) throw new Error("this browser is too old for them");
    await loaded(new URL("engine.js", script.src).href);
    const lessons = lessonsOf(await globalThis.gradus_live());
    makeLive(lessons.get(chapter), descriptions[chapter]);
    status.remove();
  } catch (error) {
    status.textContent = `The numbers of this page are not live: ${error.message}.`;
    throw error;
  }
}
