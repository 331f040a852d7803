/**
 * Throws a TypeError if a method of a dissector has returned a promise. Nothing waits for promises, and one that fails
 * would end the program.
 */
export function expectNoPromise(returned: unknown, method: string): void {
  if (!(returned instanceof Promise)) return;
  returned.catch(() => {});
  throw new TypeError(`${method} returned a promise: it must not be async`);
}
