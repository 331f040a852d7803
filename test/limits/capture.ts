import type { Limits } from "../../src/limits.js";
import { PcapngWriter, pcapFile } from "../support/captures.js";
import { MoulTalk } from "../support/moul-session.js";
import { RAW } from "../support/network.js";
import { concat, text } from "../support/packets.js";
import { words } from "../support/toy.js";
import { dissected, type Scenario, talk } from "./scenario.js";

/** A word in a small packet, and one in a packet of 141 bytes. */
function twoPackets(): Uint8Array[] {
  const tcp = talk();
  return [...tcp.handshake(), tcp.send(0, words("small")), tcp.send(0, words("x".repeat(100)))];
}

const LONG = "x".repeat(100);
const write = new PcapngWriter();
const START = concat(write.section(), write.interface({ linkType: RAW }));

async function wordsAndProblems(file: Uint8Array, limits: Partial<Limits>): Promise<readonly string[]> {
  const { lines, problems } = await dissected(file, limits);
  return [...lines, ...problems];
}

const packetIsTooLong = {
  value: 60,
  limited: [
    "0 c2s small",
    "frame 5 claims 141 captured bytes, more than the 60 a packet may have; nothing after it can be read",
  ],
  otherwise: ["0 c2s small", `0 c2s ${LONG}`],
};

export const captureScenarios = {
  packetLength: {
    ...packetIsTooLong,
    observe: (limits) => {
      const records = twoPackets().map((data) => ({ data }));
      return wordsAndProblems(pcapFile(records, { linkType: RAW, snapLength: 40 }), limits);
    },
  },
  declaredPacketLength: {
    ...packetIsTooLong,
    observe: (limits) => {
      const records = twoPackets().map((data) => ({ data }));
      return wordsAndProblems(pcapFile(records, { linkType: RAW, snapLength: 0x7fff_ffff }), limits);
    },
  },
  blockLength: {
    value: 120,
    observe: (limits) => {
      const blocks = twoPackets().map((data) => write.enhanced({ data }, 0n));
      return wordsAndProblems(concat(START, ...blocks), limits);
    },
    limited: [
      "0 c2s small",
      "the block (enhanced packet) claims 196 bytes, more than the 120 it may have; nothing after it can be read",
    ],
    otherwise: ["0 c2s small", `0 c2s ${LONG}`],
  },
  secretsLength: {
    value: 64,
    observe: async (limits) => {
      const { lines, remarks } = await dissected(secretsAnd(1), limits);
      return { lines, remarks };
    },
    limited: {
      lines: ["0 c2s small", `0 c2s ${LONG}`],
      remarks: [
        "(decryption secrets block at offset 60): its 176 bytes exceed the limit of 64 and are not searched for keys",
      ],
    },
    otherwise: { lines: ["0 c2s small", `0 c2s ${LONG}`], remarks: [] },
  },
  interfaces: {
    value: 1,
    observe: (limits) => {
      const blocks = twoPackets().map((data) => write.enhanced({ data }, 0n));
      return wordsAndProblems(concat(START, ...blocks, write.interface(), ...blocks), limits);
    },
    limited: ["0 c2s small", `0 c2s ${LONG}`, "the section describes more interfaces than the limit of 1"],
    otherwise: ["0 c2s small", `0 c2s ${LONG}`],
  },
  keyFiles: {
    value: 1,
    observe: async (limits) => (await dissected(secretsAnd(3), limits)).remarks,
    limited: [236, 412].map(
      (offset) => `(decryption secrets block at offset ${offset}): there are too many key files; this one is left out`,
    ),
    otherwise: [],
  },
  keyBytes: {
    value: 200,
    observe: async (limits) => (await dissected(secretsAnd(3), limits)).reached,
    limited: { keyBytes: 2 },
    otherwise: {},
  },
} satisfies Partial<Record<keyof Limits, Scenario>>;

/** Blocks of key logs, followed by packets. */
function secretsAnd(blocks: number): Uint8Array {
  const { rc4 } = new MoulTalk("auth").keyLog;
  const secrets = Array.from({ length: blocks }, () => write.secrets(text(rc4)));
  return concat(START, ...secrets, ...twoPackets().map((data) => write.enhanced({ data }, 0n)));
}
