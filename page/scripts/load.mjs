// Loads an engine beside a script, and says so while it does.
import { element } from "./element.mjs";

// A module of a few bytes that uses SIMD: whether the browser can run the engine.
const SIMD = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

function loaded(address) {
  return new Promise((resolve, reject) => {
    const script = element("script", { src: address, onload: resolve, onerror: () => reject(new Error(`${address} is missing`)) });
    document.head.append(script);
  });
}

// The engine in the file `name` beside a script, which the function `called` makes.
export async function engineOf(script, name, called) {
  await loaded(new URL(name, script.src).href);
  return globalThis[called]();
}

// Calls `begin` with an engine.
export async function load(script, name, called, begin) {
  const status = element("p", { role: "status", className: "live-bar", textContent: "Loading the live numbers …" });
  document.querySelector("article").append(status);
  try {
    if (!globalThis.WebAssembly?.validate(SIMD)) throw new Error("this browser is too old for them");
    begin(await engineOf(script, name, called));
    status.remove();
  } catch (error) {
    status.textContent = `The numbers of this page are not live: ${error.message}.`;
    throw error;
  }
}
