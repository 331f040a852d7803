import { linesOf } from "./lines.js";

/** What the page of the tests can be asked. */
declare global {
  var lines: (names: readonly string[]) => Promise<string>;
}

globalThis.lines = async (names) => {
  const [capture, ...keys] = await Promise.all(
    names.map(async (name) => ({ name, bytes: new Uint8Array(await (await fetch(name)).arrayBuffer()) })),
  );
  return capture === undefined ? "" : linesOf(capture, keys);
};
