// Loads an engine beside a script, and says so while it does.
import { element } from "../../app/serve/page/element.mjs";

// A module of a few bytes that uses SIMD: whether the browser can run the engine.
const SIMD = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

// The bytes of texts in base 64, which together are compressed by gzip.
export function unpacked(...texts) {
  const parts = texts.map((text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
  return new Response(new Blob(parts).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

// The engine that a function of Emscripten's makes; its script holds the WebAssembly as a text.
export async function made(engine) {
  return engine({ wasmBinary: await unpacked(engine.packed) });
}

// Runs the script in the file `name` beside a script.
export function loaded(script, name) {
  const { href } = new URL(name, script.src);
  return new Promise((resolve, reject) => {
    document.head.append(element("script", { src: href, onload: resolve, onerror: () => reject(new Error(`${href} is missing`)) }));
  });
}

// The engine in the file `name` beside a script, which the function `called` makes.
export async function engineOf(script, name, called) {
  if (!globalThis.WebAssembly?.validate(SIMD) || !globalThis.DecompressionStream) throw new Error("this browser is too old");
  await loaded(script, name);
  return made(globalThis[called]);
}

// Calls `begin` with the engine of all pages.
export async function load(script, begin) {
  const status = element("p", { role: "status", className: "live-bar", textContent: "Loading the live numbers …" });
  document.querySelector("article").append(status);
  try {
    begin(await engineOf(script, "engine.js", "gradus_live"));
    status.remove();
  } catch (error) {
    status.textContent = `The numbers of this page are not live: ${error.message}.`;
    throw error;
  }
}
