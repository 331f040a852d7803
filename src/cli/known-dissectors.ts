import type { Dissector } from "../dissector/dissector.js";
import { dissectorsWith } from "../pipeline/dissectors.js";
import { loadDissector } from "../platform/node/dissector-module.js";
import { filesAt } from "../platform/node/file-on-disk.js";
import { definitionEndings } from "../session/files/definition-files.js";

/** The options of all commands that take external dissectors. */
export interface DissectorOptions {
  readonly dissector?: readonly string[];
}

/** The options of those that take definitions as well. */
export interface DefinitionOptions extends DissectorOptions {
  readonly sdl?: readonly string[];
}

/** The dissectors of a run: those that the command line names, and all of them. */
interface KnownDissectors {
  readonly loaded: readonly Dissector[];
  /** In the order in which they are asked. */
  readonly all: readonly Dissector[];
}

/**
 * Loads the dissectors that the command line names.
 *
 * @throws DissectorModuleError if one of them cannot be used
 */
export async function knownDissectors({ dissector: modules = [] }: DissectorOptions): Promise<KnownDissectors> {
  const loaded: Dissector[] = [];
  for (const module of modules) {
    const taken = new Set(dissectorsWith(loaded).map(({ name }) => name));
    loaded.push(await loadDissector(module, taken));
  }
  return { loaded, all: dissectorsWith(loaded) };
}

/** The files of dissectors and definitions that the command line names: they must not be overwritten. */
export async function definitionInputs(
  { dissector: modules = [], sdl = [] }: DefinitionOptions,
  dissectors: readonly Dissector[],
): Promise<readonly string[]> {
  return [...modules, ...(await filesAt(sdl, definitionEndings(dissectors)))];
}
