import type { DefinitionFile, Dissector } from "../dissector/dissector.js";

/** The settings of a dissector that every thread works out from the same definitions; undefined if it fails. */
export function commonSettings(dissector: Dissector, definitions: readonly DefinitionFile[]): unknown {
  try {
    return dissector.settingsFor?.(definitions);
  } catch {
    return undefined;
  }
}
