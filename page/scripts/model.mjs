// The whole model's C++ as an object: it is begun, trained, asked, and shows what flows through it.

const sized = (tensor) => ({ ...tensor, size: tensor.shape.reduce((product, extent) => product * extent, 1) });

export class Model {
  // `wasm` is what the engine's own function gives.
  constructor(wasm) {
    this.wasm = wasm;
    this.tasks = JSON.parse(wasm.UTF8ToString(wasm._walk_tasks()));
  }

  // What a function has returned, unless it failed.
  checked(result, failed = 0) {
    if (result === failed) throw new Error(this.wasm.UTF8ToString(this.wasm._walk_problem()));
    return result;
  }

  json(address) {
    return JSON.parse(this.wasm.UTF8ToString(this.checked(address)));
  }

  read(address, count) {
    return this.wasm.HEAPF64.slice(address / 8, address / 8 + count);
  }

  // Numbers as the engine counts them; seed 0 takes the learnt weights.
  begin({ task, without, seed }) {
    this.task = this.tasks[task];
    this.parameters = this.json(this.wasm._walk_begin(task, without, seed)).map(sized);
  }

  weights({ first, size }) {
    return this.read(this.checked(this.wasm._walk_weights()) + 8 * first, size);
  }

  write({ first }, place, value) {
    this.wasm.HEAPF64[this.checked(this.wasm._walk_weights()) / 8 + first + place] = value;
  }

  // Takes steps; of each {loss, norm, rate}.
  steps(count, { optimiser, peak, warmup, smoothing }) {
    const numbers = this.read(this.checked(this.wasm._walk_steps(count, optimiser, peak, warmup, smoothing)), 3 * count);
    return Array.from({ length: count }, (_, i) => ({ loss: numbers[3 * i], norm: numbers[3 * i + 1], rate: numbers[3 * i + 2] }));
  }

  score() {
    return this.checked(this.wasm._walk_score(), -1);
  }

  says(pair) {
    return this.json(this.wasm._walk_says(pair));
  }

  // Tensors by name, each with its numbers.
  flow(pair, smoothing) {
    const described = this.json(this.wasm._walk_flow(pair, smoothing)).map(sized);
    const address = this.wasm._walk_numbers();
    return new Map(described.map((tensor) => [tensor.name, { ...tensor, numbers: this.read(address + 8 * tensor.first, tensor.size) }]));
  }
}
