import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Conversation,
  type Direction,
  dissectCaptures,
  type Origin,
  type PlaintextListener,
} from "../../src/index.js";
import { endpointText } from "../../src/network/address.js";
import { run } from "./command-line.js";
import { oncePerName } from "./once.js";
import { sample } from "./samples.js";
import type { Sent } from "./tshark.js";

/** Captures as `decrypt` writes them, and what is in them. */

const folder = mkdtempSync(join(tmpdir(), "moul-dissect-decrypted-"));

const ALL_KEYS = [sample("keys/dirtsand/dirtsand.ini"), sample("keys/nagus/nagus_config.ini")];

/** Decrypts a capture into a file, whose path has no key files beside it. */
export async function decrypted(name: string, path: string, ...args: readonly string[]) {
  const out = join(folder, `${name}.plain.pcapng`);
  return { out, ...(await run(["decrypt", path, "-o", out, "--force", ...args])) };
}

/** Decrypts a sample with the keys beside it. */
export const decryptedSample = oncePerName((name) => decrypted(name, sample(name)));

/** The payload of each packet: ends, time and length, in the order in which the bytes are passed on. */
export async function payloads(path: string, source: "network" | "plaintext") {
  const seen: string[] = [];
  const sent = new Map<number, Map<string, Uint8Array[]>>();
  const packet = (conversation: Conversation, direction: Direction, bytes: Uint8Array, origin: Origin) => {
    const { stream, client, server, transport } = conversation;
    const [from, to] = direction === "c2s" ? [client, server] : [server, client];
    seen.push(
      `${transport} ${endpointText(from)} > ${endpointText(to)} ${origin.seconds}.${origin.nanoseconds} ${bytes.length}`,
    );
    const ends = sent.get(stream) ?? new Map<string, Uint8Array[]>();
    sent.set(stream, ends.set(endpointText(from), [...(ends.get(endpointText(from)) ?? []), bytes.slice()]));
  };
  const opened = (conversation: Conversation) => {
    const listener: PlaintextListener = {
      bytes: (direction, bytes, origin) => packet(conversation, direction, bytes, origin),
      datagram: (direction, bytes, _missing, origin) => packet(conversation, direction, bytes, origin),
      gap: () => {},
    };
    return source === "network" ? listener : { plaintext: listener };
  };
  await dissectCaptures([path], { keys: ALL_KEYS, network: { opened } }, () => {});
  const conversations: Sent[] = [...sent.values()].map((ends) =>
    Object.fromEntries([...ends].map(([end, parts]) => [end, Buffer.concat(parts).toString("hex")])),
  );
  return { seen, conversations: conversations.filter((ends) => Object.values(ends).some((hex) => hex !== "")) };
}

/** The payloads of a sample. */
export const samplePayloads = oncePerName((name) => payloads(sample(name), "plaintext"));
