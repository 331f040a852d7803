import { Option } from "commander";
import { type Dissector, DissectorModuleError, dissectors, loadDissector } from "../index.js";
import { DecodeAsError, parseDecodeAs } from "../session/decode-as.js";

/** The options of all commands that take dissectors from outside. */
export interface DissectorOptions {
  readonly dissector?: readonly string[];
}

/** The dissectors of a run: what the command line names, and all of them. */
export interface KnownDissectors {
  readonly loaded: readonly Dissector[];
  /** In the order in which they are asked. */
  readonly all: readonly Dissector[];
}

export function dissectorOption(collect: (value: string, before?: readonly string[]) => readonly string[]): Option {
  return new Option(
    "--dissector <module>",
    "load a dissector that is not built in: a path or a package name, repeatable",
  ).argParser(collect);
}

/** Loads the dissectors that the command line names; gives a sentence if one of them cannot be used. */
export async function knownDissectors({
  dissector: modules = [],
}: DissectorOptions): Promise<KnownDissectors | string> {
  const loaded: Dissector[] = [];
  try {
    for (const module of modules) {
      const taken = new Set([...dissectors, ...loaded].map(({ name }) => name));
      loaded.push(await loadDissector(module, taken));
    }
  } catch (error) {
    if (error instanceof DissectorModuleError) return error.message;
    throw error;
  }
  return { loaded, all: [...loaded, ...dissectors] };
}

/** What is wrong with the rules of `--decode-as`, as a sentence; undefined if nothing is. */
export function decodeAsProblem(rules: readonly string[], known: readonly Dissector[]): string | undefined {
  try {
    for (const rule of rules) parseDecodeAs(rule, known);
    return undefined;
  } catch (error) {
    if (error instanceof DecodeAsError) return error.message;
    throw error;
  }
}
