import type { Dissector, KeyFile } from "../../src/dissector/dissector.js";
import { dissectCaptures, dissectors } from "../../src/index.js";
import type { Direction, Endpoint } from "../../src/network/conversation.js";
import { givenFiles } from "../../src/platform/node/file-on-disk.js";
import { encode } from "../../src/schema/encode/encode.js";
import type { StructType } from "../../src/schema/index.js";
import { readKeyFiles } from "../../src/session/files/key-files.js";
import { randomValue } from "../schema/support/random-value.js";
import { MoulTalk, type ServerName } from "../support/moul-session.js";
import { Random } from "../support/random.js";
import { sample } from "../support/samples.js";
import { keysOf, samples } from "./seeds.js";

/** Maximum pieces and bytes used of a conversation, from its beginning, so that it is recognised. */
const MOST_PIECES = 60;
const MOST_BYTES = 24 * 1024;

const SERVERS: readonly ServerName[] = ["gatekeeper", "auth", "game", "csr", "file"];
const GENERATED = 6;
const GENERATED_MESSAGES = 12;

/** What one side sends in one piece. */
export interface Piece {
  readonly direction: Direction;
  readonly bytes: Uint8Array;
}

/** A valid conversation: what both sides sent, in order, and the key files that belong to it. */
export interface Talk {
  readonly from: string;
  readonly transport: "tcp" | "udp";
  readonly client: Endpoint;
  readonly server: Endpoint;
  readonly keys: ReadonlyMap<Dissector, readonly KeyFile[]>;
  readonly pieces: readonly Piece[];
}

/** Conversations of the samples, and some with messages generated from their declarations. */
export async function soundTalks(): Promise<Talk[]> {
  const talks = generatedTalks();
  for (const name of samples) {
    const { keys } = await readKeyFiles(givenFiles(keysOf(name)), dissectors);
    const found = new Map<number, Talk & { readonly pieces: Piece[] }>();
    const piece = (stream: number, direction: Direction, bytes: Uint8Array) => {
      const pieces = found.get(stream)?.pieces ?? [];
      const sum = pieces.reduce((bytes, piece) => bytes + piece.bytes.length, 0);
      if (pieces.length < MOST_PIECES && sum < MOST_BYTES)
        pieces.push({ direction, bytes: bytes.slice(0, MOST_BYTES - sum) });
    };
    await dissectCaptures(
      [sample(name)],
      {
        network: {
          opened: ({ stream, transport, client, server }) => {
            found.set(stream, { from: `${name} stream ${stream}`, transport, client, server, keys, pieces: [] });
            const brought = (direction: Direction, bytes: Uint8Array) => piece(stream, direction, bytes);
            return { bytes: brought, datagram: brought };
          },
        },
      },
      () => {},
    );
    talks.push(...[...found.values()].filter(({ pieces }) => pieces.length > 0));
  }
  return talks;
}

/** A message of a type: its number is right, everything else is random. */
function messageOf(type: StructType<unknown>, random: Random, least: number): Uint8Array {
  const value: unknown = randomValue(type, random, least);
  const { tag: messageType } = type.struct;
  const written = (messageByteCount: number) =>
    encode<unknown>(type, { ...Object(value), messageType, messageByteCount });
  return written(written(0).length);
}

function generatedTalks(): Talk[] {
  const client = { address: "192.0.2.1", port: 50_000 };
  const server = { address: "192.0.2.2", port: 14_617 };
  const moul = dissectors[0]?.messages;
  return SERVERS.flatMap((name, number) =>
    Array.from({ length: GENERATED }, (_, time): Talk => {
      const random = new Random(100 * number + time);
      const talk = new MoulTalk(name, { encryption: "none" }).opens();
      const messages = moul?.get(`moul.${name}`);
      for (let count = 0; messages !== undefined && count < GENERATED_MESSAGES; count++) {
        const direction = random.pick<Direction>(["c2s", "s2c"]);
        const type = random.pick(messages[direction]);
        talk.plain(direction, messageOf(type, random, time % 3));
      }
      const from = `generated ${name} ${time}`;
      return { from, transport: "tcp", client, server, keys: new Map(), pieces: talk.sent };
    }),
  );
}
