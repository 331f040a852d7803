import * as nodeModule from "node:module";

const SELF = "moul-dissect";

/** Runs where Node.js resolves imports: modules that import this package get the copy of it that is running. */
const HOOK = `
let running;
export function initialize(url) { running = url; }
export async function resolve(specifier, context, next) {
  const isSelf = specifier === "${SELF}" || specifier.startsWith("${SELF}/");
  return next(specifier, isSelf ? { ...context, parentURL: running } : context);
}`;

let registered = false;

/**
 * Lets a module import `moul-dissect/schema` and the like where this package is not installed beside it, as with a
 * dissector in any folder and a global installation; where another copy is, it gets the one that is running.
 *
 * @param file of the module
 */
export function makeSelfKnownTo(file: string): void {
  if (registered || manifestSeenFrom(file) === manifestSeenFrom(import.meta.url)) return;
  // Node.js before 20.6 has no such hooks; there the package has to be installed beside the dissector.
  if (typeof nodeModule.register !== "function") return;
  registered = true;
  nodeModule.register(`data:text/javascript,${encodeURIComponent(HOOK)}`, { data: import.meta.url });
}

/** Which copy of this package a module imports; undefined if it finds none. */
function manifestSeenFrom(file: string): string | undefined {
  try {
    return nodeModule.createRequire(file).resolve(`${SELF}/package.json`);
  } catch {
    return undefined;
  }
}
