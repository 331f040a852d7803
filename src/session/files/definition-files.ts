import { messageOf } from "../../common/message-of.js";
import type { DefinitionFile, Dissector, KeyFile } from "../../dissector/dissector.js";
import { bytesOf, type GivenFile, offered } from "./offered-file.js";

/** The definition files as read by the dissectors, and what was odd about them. */
interface Definitions {
  readonly definitions: ReadonlyMap<Dissector, readonly DefinitionFile[]>;
  /** Sentences for the user, each beginning with the file's name. */
  readonly remarks: readonly string[];
  /** False if a given file, or every file of a folder, could not be used. */
  readonly complete: boolean;
}

/**
 * Reads definition files, also those in folders, and offers each of them to every dissector. Files that
 * cannot be used are reported in remarks; nothing is thrown. A file in a folder may well be something else.
 *
 * @param keys the key files that each dissector has read, for encrypted definition files
 */
export async function readDefinitionFiles(
  files: readonly GivenFile[],
  dissectors: readonly Dissector[],
  keys: ReadonlyMap<Dissector, readonly KeyFile[]>,
): Promise<Definitions> {
  const definitions = new Map<Dissector, DefinitionFile[]>(dissectors.map((dissector) => [dissector, []]));
  const remarks: string[] = [];
  let complete = true;

  /** Offers a file to the dissectors. "unknown" if none of them knows it or has a remark on it. */
  const offer = async (given: GivenFile): Promise<"read" | "refused" | "unknown"> => {
    const { name } = given;
    let bytes: Uint8Array;
    try {
      bytes = await bytesOf(given);
    } catch (error) {
      remarks.push(`${name}: the definition file cannot be read (${messageOf(error)})`);
      return "refused";
    }
    const { files, remarks: told } = offered(name, dissectors, (dissector) =>
      dissector.readDefinitions?.(name, bytes, keys.get(dissector) ?? [], definitions.get(dissector) ?? []),
    );
    for (const [dissector, file] of files) definitions.get(dissector)?.push(file);
    remarks.push(...told);
    if (files.length > 0) return "read";
    return told.length > 0 ? "refused" : "unknown";
  };

  for (const given of files) {
    const inFolder = "read" in given ? await given.list?.(definitionEndings(dissectors)) : undefined;
    let used = false;
    for (const file of inFolder ?? [given]) {
      const outcome = await offer(file);
      used ||= outcome === "read";
      if (outcome === "unknown" && inFolder === undefined)
        remarks.push(`${given.name}: not a definition file of a known kind`);
    }
    if (!used && inFolder !== undefined) remarks.push(`${given.name}: this folder contains no usable definition files`);
    complete &&= used;
  }
  return { definitions, remarks, complete };
}

/** How the names of definition files end. */
export function definitionEndings(dissectors: readonly Dissector[]): string[] {
  return dissectors.flatMap(({ definitionEnding }) => definitionEnding ?? []);
}
