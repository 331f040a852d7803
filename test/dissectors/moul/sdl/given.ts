import { descriptorsIn, readSdlFile, type SdlDescriptors } from "../../../../dissectors/moul/sdl/descriptors.js";
import { sdlBlob } from "../../../../dissectors/moul/sdl/sdlBlob.js";
import { fieldJson } from "../../../../src/output/json/field-json.js";
import { encode } from "../../../../src/schema/encode/encode.js";
import type { FieldTree } from "../../../../src/schema/language/field-tree.js";

/** The descriptors that definition files with these texts declare. */
export function given(...texts: readonly string[]): SdlDescriptors {
  return descriptorsIn(texts.map((text, index) => readSdlFile(`${index}.sdl`, Buffer.from(text), [])));
}

/** An SDL blob with these bytes as its record. */
export function blob(descriptorName: string, descriptorVersion: number, ...hex: readonly string[]): Uint8Array {
  const header = encode(sdlBlob, { headerFlags: 0x8000, descriptorName, descriptorVersion }, { isPartial: true });
  return Buffer.concat([header, Buffer.from(hex.join("").replace(/\s+/g, ""), "hex")]);
}

/** The JSON form of a value. */
export function json(nodes: FieldTree, node = 0): unknown {
  return JSON.parse(fieldJson(nodes, node, 1));
}

/** The decoder's notes. */
export function notes(nodes: FieldTree): string[] {
  return nodes.notes.map(({ node, text }) => `${nodes.path(node)}: ${text}`);
}
