import { bytes, choice, notEquals, struct, text, viewOf, within } from "moul-dissect/schema";
import { u16, u32 } from "moul-dissect/schema/big-endian";
import { code, codeOf, message } from "../messages.js";
import { WorldDatabase } from "./map/database.js";

/** The world: how it is fetched, and what it is wrapped in. Source: facts, section 10, "world"; the capture. */

export const MsgWantWHashRequest = message("MsgWantWHash", "wh", {});
export const MsgWantWHash = message("MsgWantWHash", "wh", { digest: text(34).inSummary() });

export const MsgGetWorldRequest = message("MsgGetWorld", "gw", {
  offset: u32.doc("Bytes of the world that the client already has.").inSummary(),
});

export const MsgGetWorld = message("MsgGetWorld", "gw", {
  remaining: u32.doc("Bytes of the world from the requested offset on, including those in this message.").inSummary(),
  data: bytes({ field: "len", plus: -4 }),
});

const HEADER_LENGTH = 10;

/** True for the first bytes of a world. */
export function beginsWithHeader(data: Uint8Array): boolean {
  const view = viewOf(data);
  return data.length >= 4 && view.getUint16(0) === HEADER_LENGTH && view.getUint16(2) === codeOf("he");
}

/** The only version of a map that 2.4 has. Source: include/global.h of 2.4. */
const MAP_VERSION = 1;

const inflated = within("compressedSize", WorldDatabase, {
  when: notEquals("inflatedSize", 0),
  literal: 0,
  inflatedLength: "inflatedSize",
});

/** Worlds of 2 MiB or more could have more nodes than a message may have. */
const LARGE = { field: "inflatedSize", mask: 0xffe0_0000 };
const compressed = bytes("compressedSize").inJson("compressedDatabase");
const database = choice(LARGE, { 0: inflated }, compressed);

/** The world, assembled from the chunks of a download. */
export const World = struct("World", {
  headerLength: u16,
  headerCode: code,
  mapVersion: u16,
  inflatedSize: u32.doc("Length of the inflated world in bytes.").inSummary(),
  compressedSize: u32,
  database: choice("mapVersion", { [MAP_VERSION]: database }, compressed).doc("Compressed with zlib."),
  endLength: u16,
  endCode: code,
});
