import { expect, it } from "vitest";
import { Dissection } from "../../src/dissect/dissection.js";
import { Network } from "../../src/network/network.js";
import type { PlaintextListener } from "../../src/session/stream/plaintext.js";
import { Tracker } from "../../src/session/tracker.js";
import { RAW } from "../support/network.js";
import { udpPacket } from "../support/packets.js";
import { toyDissector, Word, words } from "../support/toy.js";

const ENDS = { source: "192.0.2.1", sourcePort: 1111, destination: "192.0.2.2", destinationPort: 5000 };

it("passes on of each datagram what comes before somebody else's data, and counts that", () => {
  const dissector = toyDissector({
    next: (_, { bytes, start }) =>
      bytes[start] === 0xff
        ? { step: "foreign", reason: "somebody else speaks, for a test" }
        : { step: "message", type: Word, length: 1 + (bytes[start] ?? 0) },
  });
  const told: string[] = [];
  const plaintext: PlaintextListener = {
    bytes: () => {},
    gap: () => {},
    datagram: (_, bytes) => void told.push(Buffer.from(bytes).toString("latin1")),
    foreign: (direction, { frame }) => void told.push(`foreign ${direction} ${frame}`),
  };
  let foreignBytes = 0;
  const dissected = (session: { readonly foreignBytes: number }) => {
    foreignBytes = session.foreignBytes;
  };
  const observer = { opened: () => ({ plaintext, dissected }) };
  const network = new Network(new Tracker([dissector], new Dissection(() => {}), { observer }));
  const datagrams = [words("hello"), [...words("own"), 0xff, 1, 2], [0xff, 3], words("again")];
  for (const [index, payload] of datagrams.entries()) {
    const data = udpPacket(ENDS, Uint8Array.from(payload));
    const packet = { frame: index + 1, seconds: 0, nanoseconds: 0, linkType: RAW, originalLength: data.length };
    network.packet({ ...packet, data });
  }
  network.end();
  expect(told).toEqual(["\x05hello", "\x03own", "foreign c2s 3", "\x05again"]);
  expect(foreignBytes).toBe(5);
});
