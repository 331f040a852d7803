/** What work costs, counted: a clock would tell of the machine, and of what else it is doing. */

/** Prototype of all typed arrays, with the methods that `Buffer` has not replaced. */
const typedArray: object = Object.getPrototypeOf(Uint8Array.prototype);

type Method = (this: Uint8Array, ...args: unknown[]) => unknown;

/** Functions that go over many bytes, and over how many, given what they were called with and what they returned. */
const counted: readonly (readonly [object, string, (self: Uint8Array, args: unknown[], result: unknown) => number])[] =
  [
    [typedArray, "slice", (_self, _args, copy) => lengthOf(copy)],
    [typedArray, "set", (_self, [source]) => lengthOf(source)],
    [typedArray, "indexOf", (self, [, from], found) => searched(self, from, found)],
    [Buffer, "concat", (_self, _args, copy) => lengthOf(copy)],
    [Buffer.prototype, "copy", (_self, _args, copied) => Number(copied)],
    [Buffer.prototype, "indexOf", (self, [, from], found) => searched(self, from, found)],
    [Buffer.prototype, "toString", (_self, _args, text) => lengthOf(text)],
  ];

function lengthOf(value: unknown): number {
  return typeof value === "string" || value instanceof Object ? Number(Reflect.get(Object(value), "length")) : 0;
}

function searched({ length }: Uint8Array, from: unknown, found: unknown): number {
  const end = Number(found) < 0 ? length : Number(found) + 1;
  return end - (typeof from === "number" ? from : 0);
}

/**
 * Does some work; returns its result, and how many elements of buffers and typed arrays were copied or searched by
 * functions that do many at once.
 */
export async function touchedBy<Result>(
  work: () => Result,
): Promise<{ readonly result: Awaited<Result>; readonly touched: number }> {
  let touched = 0;
  const originals = counted.map(([owner, name, count]) => {
    const original: Method = Reflect.get(owner, name);
    const counting: Method = function (...args) {
      const result = original.apply(this, args);
      touched += count(this, args, result);
      return result;
    };
    Reflect.set(owner, name, counting);
    return () => Reflect.set(owner, name, original);
  });
  try {
    const result = await work();
    return { result, touched };
  } finally {
    for (const restore of originals) restore();
  }
}

/** What is touched by work for a size, divided by that for a quarter of it: 4 if it grows linearly, 16 if quadratically. */
export async function growthOf(work: (size: number) => unknown, size: number): Promise<number> {
  const [large, small] = [await touchedBy(() => work(size)), await touchedBy(() => work(size / 4))];
  return large.touched / small.touched;
}
