import { expect } from "vitest";
import { PlaintextCapture, type PlaintextCaptureOptions } from "../../src/export/plaintext-capture.js";
import type { Conversation } from "../../src/network/conversation.js";
import { Network } from "../../src/network/network.js";
import type { RecognisedConversation } from "../../src/session/recognised-conversation.js";
import { concat } from "./packets.js";
import { NetworkLog, readLog } from "./recording.js";
import { toyDissector } from "./toy.js";

/** Generated captures, for tests to examine. */

export function conversation(stream: number, fields: Partial<Conversation> = {}): Conversation {
  const origin = { frame: 1, seconds: 0, nanoseconds: 0 };
  return {
    stream,
    transport: "tcp",
    client: { address: "192.0.2.1", port: 50_000 + stream },
    server: { address: "198.51.100.2", port: 14_617 },
    clientIsKnown: true,
    path: "",
    packets: { c2s: 0, s2c: 0 },
    payloadBytes: { c2s: 0, s2c: 0 },
    missingBytes: { c2s: 0, s2c: 0 },
    unaccepted: { c2s: 0, s2c: 0 },
    first: origin,
    last: origin,
    ...fields,
  };
}

/** The same once it is recognised as speaking a protocol of the toy dissector. */
export function recognised(conversation: Conversation, protocol: string): RecognisedConversation {
  const encryptionState = { encryption: "none", key: "not-needed", keySource: "" } as const;
  const analyzer = { protocol, encryptionState, next: () => ({ step: "more", bytes: 1 }) as const };
  const recognisedBy = toyDissector();
  const oldNames = { dissector: analyzer, spokenBy: recognisedBy };
  return { conversation, analyzer, recognisedBy, ...oldNames, definitions: [], dropped: 0, foreignBytes: 0 };
}

export const IPV6 = {
  client: { address: "2001:db8::1", port: 40_000 },
  server: { address: "2001:db8:0:1::ffff", port: 14_617 },
};

export function at(seconds: number, nanoseconds = 0) {
  return { seconds, nanoseconds };
}

export function captured(use: (capture: PlaintextCapture) => void, options: Partial<PlaintextCaptureOptions> = {}) {
  const parts: Uint8Array[] = [];
  const capture = new PlaintextCapture((bytes) => void parts.push(bytes.slice()), { application: "test", ...options });
  use(capture);
  capture.flush();
  return { bytes: concat(...parts), packets: capture.packets };
}

/** How the network room reads a capture, with all checksums verified, and the times of its packets. */
export async function understood(bytes: Uint8Array): Promise<{ lines: readonly string[]; times: readonly string[] }> {
  const { log } = await readLog([bytes]);
  expect(log.problems).toEqual([]);
  const network = new NetworkLog();
  const room = new Network(network, { checksums: true });
  for (const { frame, time, linkType, data, originalLength } of log.packets) {
    const [seconds = 0, nanoseconds = 0] = time.split(".").map(Number);
    room.packet({ frame, seconds, nanoseconds, linkType, data: Buffer.from(data, "hex"), originalLength });
  }
  room.end();
  return { lines: network.lines, times: log.packets.map(({ time }) => time) };
}
