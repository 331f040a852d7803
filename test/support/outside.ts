import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { pcapFile } from "./captures.js";
import { RAW } from "./network.js";
import { TcpTalk } from "./packets.js";

/** Dissectors and captures in files, as strangers have them. */

/** The schema language as a package that uses this one finds it. */
const require = createRequire(import.meta.url);
const moduleUrl = (name: string) => JSON.stringify(pathToFileURL(require.resolve(name)).href);

/**
 * Writes a dissector of everything; gives its path.
 *
 * @param declared declares the messages, with all of the schema language at hand, and little-endian numbers
 * @param conversation members of what is at work on a conversation: at least `next`
 */
export function outsideDissector(folder: string, name: string, declared: string, conversation: string): string {
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
      open: () => ({
        protocol: "${name}",
        encryptionState: { encryption: "none", key: "not-needed", keySource: "" },
        ${conversation}
      }),
    };`,
  );
  return path;
}

/** Writes a capture of one TCP connection, in which the client says this; gives its path. */
export function clientCapture(folder: string, name: string, said: readonly Uint8Array[]): string {
  const talk = new TcpTalk(["192.0.2.1", 40_000], ["198.51.100.2", 7000], [1000, 2000]);
  const packets = [...talk.handshake(), ...said.map((bytes) => talk.send(0, bytes)), talk.fin(0), talk.fin(1)];
  const path = join(folder, `${name}.pcap`);
  const records = packets.map((data) => ({ data }));
  writeFileSync(path, pcapFile(records, { linkType: RAW }));
  return path;
}
