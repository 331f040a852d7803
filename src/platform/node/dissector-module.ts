import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Dissector } from "../../dissector/dissector.js";
import { problemOf } from "../../dissector/dissector-check.js";
import { makeSelfKnownTo } from "./self-resolution.js";

/** A module that provides no dissector; the message names it and says why. */
export class DissectorModuleError extends Error {}

/**
 * Loads a dissector from a module: its default export, or its export named `dissector`.
 *
 * @param module a path (`./my-protocol.js`), or the name of a package that is installed in or above `folder`
 * @param taken names of the dissectors that are already loaded
 * @param folder where relative paths and package names are resolved from
 * @throws DissectorModuleError
 */
export async function loadDissector(
  module: string,
  taken: ReadonlySet<string>,
  folder: string = process.cwd(),
): Promise<Dissector> {
  try {
    const found = await foundDissector(module, folder);
    if (found === undefined) throw new Unusable('it has neither a default export nor one named "dissector"');
    assertDissector(found, taken);
    return found;
  } catch (error) {
    const why = error instanceof Unusable ? error.message : `loading it fails with ${describe(error, module)}`;
    throw new DissectorModuleError(`the dissector ${module} cannot be used: ${why}`);
  }
}

/** Why a module cannot be used, as a sentence. */
class Unusable extends Error {}

function assertDissector(candidate: unknown, taken: ReadonlySet<string>): asserts candidate is Dissector {
  const problem = problemOf(candidate, taken);
  if (problem !== undefined) throw new Unusable(problem);
}

/** What a module exports as its dissector, whether it is one or not. */
async function foundDissector(module: string, folder: string): Promise<unknown> {
  const location = locate(module, folder);
  if (location === undefined) throw new Unusable("there is no such file, and no package of this name is installed");
  if (statSync(location).isDirectory()) throw new Unusable("it is a folder; give the module in it");
  makeSelfKnownTo(location);
  return exportedDissector(await imported(pathToFileURL(location).href));
}

/** Ends the wait for a module, for each that is being imported. */
const waits = new Set<() => void>();

/** How long a module may take to load, in milliseconds: a dissector has nothing to wait for. */
const LONGEST = 30_000;

/** Imports a module. One that waits for something that never comes would end the program without a word. */
async function imported(url: string): Promise<unknown> {
  let giveUp = () => {};
  let timer: NodeJS.Timeout | undefined;
  const never = new Promise<never>((_, reject) => {
    giveUp = () => reject(new Unusable("it waits for something that never comes"));
    // Something of its own, such as a timer, may keep the process alive.
    const late = new Unusable(`it is not loaded after ${LONGEST / 1000} seconds`);
    timer = setTimeout(() => reject(late), LONGEST).unref();
  });
  if (waits.size === 0) process.on("beforeExit", endWaits);
  waits.add(giveUp);
  try {
    return await Promise.race([import(url), never]);
  } finally {
    clearTimeout(timer);
    waits.delete(giveUp);
    if (waits.size === 0) process.off("beforeExit", endWaits);
  }
}

/** Called when nothing is left to do. The next turn is something to do, so that there may be another such moment. */
function endWaits(): void {
  setImmediate(() => {
    for (const giveUp of waits) giveUp();
  });
}

/** The file of a module; undefined if there is none. */
function locate(module: string, folder: string): string | undefined {
  const path = resolve(folder, module);
  if (isAbsolute(module) || /^\.{1,2}(?:[\\/]|$)/.test(module)) return existsSync(path) ? path : undefined;
  const require = createRequire(join(resolve(folder), "noop.js"));
  try {
    return require.resolve(module);
  } catch {
    // `my-protocol.js` without a leading dot is more likely to be a file than a package. Packages that can only be
    // imported, not required, are found by their folder.
    if (existsSync(path)) return path;
    return packageEntry(module, require.resolve.paths(module) ?? []);
  }
}

/** The file that an import of a package loads, from the first of these folders that has the package. */
function packageEntry(name: string, folders: readonly string[]): string | undefined {
  for (const folder of folders) {
    const manifest = join(folder, name, "package.json");
    if (!existsSync(manifest)) continue;
    const { exports, main }: { exports?: unknown; main?: unknown } = JSON.parse(readFileSync(manifest, "utf8"));
    const entry = importedBy(exports) ?? (typeof main === "string" ? main : "index.js");
    return join(folder, name, entry);
  }
  return undefined;
}

/** What the `exports` of a package resolve to for an import. */
function importedBy(exports: unknown): string | undefined {
  if (typeof exports === "string") return exports;
  if (typeof exports !== "object" || exports === null) return undefined;
  for (const condition of [".", "import", "node", "default"]) {
    const entry = importedBy(Reflect.get(exports, condition));
    if (entry !== undefined) return entry;
  }
  return undefined;
}

/** The export that should be a dissector. The exports of a CommonJS module are its default export. */
function exportedDissector(exported: unknown): unknown {
  const inside = (value: unknown, member: string): unknown =>
    typeof value === "object" && value !== null ? Reflect.get(value, member) : undefined;
  const whole = inside(exported, "default");
  return inside(exported, "dissector") ?? inside(whole, "dissector") ?? inside(whole, "default") ?? whole;
}

function describe(error: unknown, module: string): string {
  if (!(error instanceof Error)) return String(error);
  // Node.js tells the place of a syntax error only to a program that ends with it.
  const place = placeIn(String(error.stack)) ?? (error instanceof SyntaxError ? `"node ${module}" shows where` : "");
  return `${error.name}: ${error.message}${place === "" ? "" : ` (${place})`}`;
}

/** A file and a line, before a stack or at the end of one of its frames. */
const PLACE = /^(?: {4}at .*?)?(?:file:\/\/)?[^\s()]*?([^\s()\\/]+\.[cm]?[jt]s):(\d+)(?::\d+\)?)?$/;

/**
 * The statement of a module that failed, as "file:line": the last frame before those of Node.js, which loaded the
 * module. If the module cannot be linked, the place comes before the stack.
 */
function placeIn(stack: string): string | undefined {
  const lines = stack.split("\n");
  const end = lines.findIndex((line) => /^ {4}at .*node:internal/.test(line));
  const places = lines.slice(0, Math.max(end, 0)).flatMap((line) => {
    const [, file, number] = PLACE.exec(line) ?? [];
    return file === undefined ? [] : [`${file}:${number}`];
  });
  return places.at(-1);
}
