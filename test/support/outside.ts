import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { pcapFile } from "./captures.js";
import { RAW } from "./network.js";
import { TcpTalk } from "./packets.js";

/** Third-party dissectors and captures, in files. */

/** The schema language, as a package that depends on this one resolves it. */
const require = createRequire(import.meta.url);
const moduleUrl = (name: string) => JSON.stringify(pathToFileURL(require.resolve(name)).href);

/**
 * Writes a dissector that accepts everything; returns its path.
 *
 * @param declared source that declares the messages, with the whole schema language and little-endian numbers available
 * @param conversation members of the conversation dissector: at least `next`
 * @param more members of the dissector
 */
export function outsideDissector(
  folder: string,
  name: string,
  declared: string,
  conversation: string,
  more = "",
): string {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(
    path,
    `import { array, bytes, coded, flag, rest, struct, text, u8, within } from ${moduleUrl("moul-dissect/schema")};
    import { u16, u32 } from ${moduleUrl("moul-dissect/schema/little-endian")};
    ${declared}
    export default {
      name: "${name}",
      protocols: ["${name}"],
      types: new Map(Object.entries(types)),
      recognise: () => "yes",
      ${more}
      open: () => ({
        protocol: "${name}",
        encryptionState: { encryption: "none", key: "not-needed", keySource: "" },
        ${conversation}
      }),
    };`,
  );
  return path;
}

/** Writes a capture of one TCP connection in which the client sends these bytes; returns its path. */
export function clientCapture(folder: string, name: string, said: readonly Uint8Array[]): string {
  const talk = new TcpTalk(["192.0.2.1", 40_000], ["198.51.100.2", 7000], [1000, 2000]);
  const packets = [...talk.handshake(), ...said.map((bytes) => talk.send(0, bytes)), talk.fin(0), talk.fin(1)];
  const path = join(folder, `${name}.pcap`);
  const records = packets.map((data) => ({ data }));
  writeFileSync(path, pcapFile(records, { linkType: RAW }));
  return path;
}
