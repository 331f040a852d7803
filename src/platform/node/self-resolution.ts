import * as nodeModule from "node:module";

const SELF = "moul-dissect";

type NextResolve = (specifier: string, context: object) => unknown;

/** Makes Node.js resolve imports of this package as if they were made by the copy that is running. */
function resolve(specifier: string, context: object, next: NextResolve): unknown {
  const isSelf = specifier === SELF || specifier.startsWith(`${SELF}/`);
  return next(specifier, isSelf ? { ...context, parentURL: import.meta.url } : context);
}

/** The same for Node.js before 22.15, where hooks run in a thread of their own. */
const HOOK = `
let running;
export function initialize(url) { running = url; }
export async function resolve(specifier, context, next) {
  const isSelf = specifier === "${SELF}" || specifier.startsWith("${SELF}/");
  return next(specifier, isSelf ? { ...context, parentURL: running } : context);
}`;

let registered = false;

/**
 * Lets a module import `moul-dissect/schema` and other entry points even if this package is not installed beside it, as
 * with a global installation and a dissector in some folder. If another copy is installed there, the module still gets
 * the one that is running.
 *
 * @param file the module's file
 */
export function makeSelfKnownTo(file: string): void {
  if (registered || manifestSeenFrom(file) === manifestSeenFrom(import.meta.url)) return;
  registered = true;
  const registerHooks: unknown = Reflect.get(nodeModule, "registerHooks");
  if (typeof registerHooks === "function") Reflect.apply(registerHooks, undefined, [{ resolve }]);
  else if (typeof nodeModule.register === "function") {
    nodeModule.register(`data:text/javascript,${encodeURIComponent(HOOK)}`, { data: import.meta.url });
  }
  // Node.js before 20.6 has neither: there, the package has to be installed beside the dissector.
}

/** The copy of this package that a module imports; undefined if it finds none. */
function manifestSeenFrom(file: string): string | undefined {
  try {
    return nodeModule.createRequire(file).resolve(`${SELF}/package.json`);
  } catch {
    return undefined;
  }
}
