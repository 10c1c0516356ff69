// What an engine keeps in its memory.

// How many numbers a tensor of this shape has.
export const sizeOf = (shape) => shape.reduce((product, extent) => product * extent, 1);

// A copy of `count` numbers at this address.
export const numbersAt = (wasm, address, count) => wasm.HEAPF64.slice(address / 8, address / 8 + count);
