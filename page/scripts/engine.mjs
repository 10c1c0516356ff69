// The lessons' C++ as objects: which numbers a lesson has, and what they become.
import { numbersAt, sizeOf } from "./memory.mjs";

// Gives each tensor its place among all numbers of its kind, and returns how many there are.
function placed(tensors) {
  let first = 0;
  for (const tensor of tensors) {
    tensor.first = first;
    tensor.size = sizeOf(tensor.shape);
    first += tensor.size;
  }
  return first;
}

class Lesson {
  constructor(wasm, index, description) {
    Object.assign(this, { wasm, index, ...description });
    this.start = Float64Array.from(this.given.flatMap((tensor) => tensor.numbers));
    placed(this.given);
    this.count = placed(this.computed);
    this.tensors = new Map([...this.given.map((tensor) => [tensor.name, tensor]), ...this.computed.map((tensor) => [tensor.name, tensor])]);
    for (const tensor of this.tensors.values()) tensor.isGiven = this.given.includes(tensor);
  }

  write(values) {
    this.wasm.HEAPF64.set(values, this.wasm._live_given(this.index) / 8);
  }

  // The computed numbers for these given ones; throws an Error that says what is wrong with them.
  run(values, way = 0) {
    this.write(values);
    const problem = this.wasm.UTF8ToString(this.wasm._live_run(this.index, way));
    if (problem) throw new Error(problem);
    return numbersAt(this.wasm, this.wasm._live_computed(this.index), this.count);
  }

  // The gradient of each given number by finite differences; 0 for those that have none.
  slopes(values, way, step) {
    this.write(values);
    const address = this.wasm._live_slopes(this.index, way, step);
    if (!address) throw new Error("a step of the finite differences cannot be computed");
    return numbersAt(this.wasm, address, this.start.length);
  }
}

// All lessons by chapter. `wasm` is what the engine's own function gives.
export function lessonsOf(wasm) {
  const described = JSON.parse(wasm.UTF8ToString(wasm._live_describe())).lessons;
  return new Map(described.map((description, index) => [description.chapter, new Lesson(wasm, index, description)]));
}
