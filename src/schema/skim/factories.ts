import { Fnv1a } from "../../common/fnv1a.js";
import { hex } from "../tree/leaf.js";
import { NotCompiled } from "./code.js";
import type { SkimState } from "./skim-state.js";

/** Makes a function that skims, given what its code refers to. */
export type SkimFactory = (state: SkimState, ...constants: readonly unknown[]) => unknown;

/** Finds what makes a function of some code, given the names of what it refers to besides `state`. */
export type FactorySource = (names: readonly string[], code: string) => SkimFactory;

/** @throws EvalError where no code may be made of strings */
export const madeOfStrings: FactorySource = (names, code) => {
  const make = new Function("state", ...names, code);
  return (state, ...constants) => make(state, ...constants);
};

let source = madeOfStrings;

/** @throws NotCompiled if there is none */
export const factoryOf: FactorySource = (names, code) => source(names, code);

/** Has factories found elsewhere from now on. */
export function takeFactoriesFrom(other: FactorySource): void {
  source = other;
}

/** Where functions come from that were made when the program was built, by their keys. */
export function prebuilt(factories: ReadonlyMap<string, SkimFactory>): FactorySource {
  return (names, code) => {
    const factory = factories.get(factoryKey(names, code));
    if (factory === undefined) throw new NotCompiled("not built");
    return factory;
  };
}

const hash = new Fnv1a();
const encoder = new TextEncoder();

/** By what a factory is found. */
export function factoryKey(names: readonly string[], code: string): string {
  const bytes = encoder.encode(`${names.length} ${code}`);
  hash.hash(bytes, 0, bytes.length);
  return hex(hash.digest);
}

/** False where a policy of the page, or an option of Node.js, forbids that code is made of strings. */
export function mayMakeCode(): boolean {
  try {
    new Function("");
    return true;
  } catch {
    return false;
  }
}
