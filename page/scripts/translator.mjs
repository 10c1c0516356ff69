// The translator's C++ as an object: it has one model.
const TEXT = 3; // the place of a text; the files of a model have those before it

export class Translator {
  // `wasm` is what the engine's own function gives; `files` are the bytes of the model's files.
  constructor(wasm, files) {
    this.wasm = wasm;
    files.forEach((bytes, which) => this.write(which, bytes));
    this.checked(wasm._translate_load());
  }

  write(which, bytes) {
    const room = this.wasm._translate_room(which, bytes.length); // may move the memory
    this.wasm.HEAPU8.set(bytes, room);
  }

  // The text that a function has returned, unless it failed.
  checked(address) {
    const { wasm } = this;
    if (!address) throw new Error(wasm.UTF8ToString(wasm._translate_problem()));
    return wasm.UTF8ToString(address);
  }

  translate(text, beam) {
    this.write(TEXT, new TextEncoder().encode(text));
    return this.checked(this.wasm._translate_text(beam));
  }

  // What the last translation comes from: the object that `gradus serve` sends, and the tree of the search.
  inside() {
    return JSON.parse(this.checked(this.wasm._translate_inside()));
  }
}
