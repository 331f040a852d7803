import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

// V8 offers its garbage collector only on request.
setFlagsFromString("--expose-gc");
const collect: unknown = runInNewContext("gc");

/** Has everything collected that nothing refers to. */
export function collectGarbage(): void {
  if (typeof collect !== "function") throw new TypeError("V8 does not offer its garbage collector");
  collect();
}

/** Bytes of the heap that are referred to. */
export function heldHeap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
