import type { CaptureProblem, Packet } from "../../src/capture/packet.js";
import { readCapture } from "../../src/capture/reader.js";
import { PacketNames } from "../../src/export/packet-names.js";
import { PacketOrder } from "../../src/export/packet-order.js";
import { PlaintextCapture } from "../../src/export/plaintext-capture.js";
import { defaultLimits } from "../../src/limits.js";
import { Network } from "../../src/network/network.js";
import { RAW } from "../support/network.js";
import { type Address, endsOf, TcpTalk, udpPacket } from "../support/packets.js";
import type { Random } from "../support/random.js";
import { listening } from "../support/recording.js";
import type { Level } from "./level.js";
import { Mutator } from "./mutate.js";
import type { OutputCheck } from "./outputs.js";
import { CheckedRun, depthFor } from "./run.js";
import { indices } from "./seeds.js";
import { Finding } from "./soundness.js";
import type { Piece, Talk } from "./talks.js";

/** One input in this many is written as a capture of its plaintext. */
const DECRYPTED = 8;

/** A packet, and the number of its bytes that the capture has. */
interface Captured {
  readonly data: Uint8Array;
  readonly length: number;
}

/** The bytes of conversations in packets with every kind of disorder: lost, late, duplicated, altered, cut, damaged. */
export class Segments implements Level {
  readonly name = "segments";
  input = "";
  readonly #mutator: Mutator;

  constructor(
    readonly talks: readonly Talk[],
    readonly outputs: OutputCheck,
  ) {
    this.#mutator = new Mutator(
      talks.flatMap(({ pieces }) => pieces.map(({ bytes }) => bytes)),
      indices,
    );
  }

  run(random: Random): number | Promise<number> {
    const talk = random.pick(this.talks);
    const at = random.below(talk.pieces.length);
    const pieces = talk.pieces.map((piece, index) =>
      index === at && random.chance(6) ? { ...piece, bytes: this.#mutator.mutated(piece.bytes, random) } : piece,
    );
    const packets = this.#disordered(packetsOf(talk, pieces, random), random);
    this.input = `${talk.from}: ${packets.map(({ data, length }) => Buffer.from(data.subarray(0, length)).toString("hex"))}`;
    const written: Uint8Array[] = [];
    const capture = new PlaintextCapture((bytes) => void written.push(bytes.slice()), { application: "", comment: "" });
    const order =
      random.below(DECRYPTED) === 0 ? new PacketOrder(capture, new PacketNames(), defaultLimits) : undefined;
    const run = new CheckedRun(talk.keys, depthFor(random), this.outputs, { observer: order });
    const network = new Network(run.network, { checksums: random.chance(3) });
    let seconds = 0;
    for (const { data, length } of packets) {
      run.frame++;
      if (random.below(200) === 0) seconds += random.below(20_000);
      // The packet belongs to the reader, which overwrites it when the next one arrives.
      const bytes = data.slice(0, length);
      const time = { seconds: seconds + run.frame, nanoseconds: 0 };
      network.packet({ frame: run.frame, ...time, linkType: RAW, data: bytes, originalLength: data.length });
      bytes.fill(0xee);
    }
    network.end();
    run.verdict();
    const bytes = packets.reduce((sum, { length }) => sum + length, 0);
    if (order === undefined) return bytes;
    capture.flush();
    return checkCapture(written, capture.packets).then(() => bytes);
  }

  #disordered(sound: readonly Uint8Array[], random: Random): Captured[] {
    const packets = sound.map((data): Captured => ({ data, length: data.length }));
    for (let times = random.below(5); times > 0 && packets.length > 0; times--) {
      const at = random.below(packets.length);
      const { data, length } = packets[at] ?? { data: new Uint8Array(0), length: 0 };
      switch (random.below(7)) {
        case 0:
          packets.splice(at, 1 + random.below(3));
          break;
        case 1:
          packets.splice(random.below(packets.length + 1), 0, { data, length });
          break;
        case 2:
          packets.splice(at, 1);
          packets.splice(Math.min(at + random.below(20), packets.length), 0, { data, length });
          break;
        case 3: {
          // The same segment with different bytes, as a forger would send it.
          const changed = this.#mutator.overwritten(data, Math.min(40, data.length), random);
          packets.splice(Math.min(at + random.below(3), packets.length), 0, { data: changed, length });
          break;
        }
        case 4:
          packets[at] = { data, length: random.below(length + 1) };
          break;
        case 5: {
          const changed = this.#mutator.overwritten(data, random.below(Math.min(40, data.length)), random);
          packets[at] = { data: changed, length: changed.length };
          break;
        }
        default: {
          const changed = this.#mutator.mutated(data, random);
          packets[at] = { data: changed, length: changed.length };
        }
      }
    }
    return packets;
  }
}

/** The packets of a conversation, in segments of any length; some lack the beginning, some the end. */
function packetsOf({ transport, client, server }: Talk, pieces: readonly Piece[], random: Random): Uint8Array[] {
  const one: Address = [client.address, client.port];
  const other: Address = [server.address, server.port];
  const packets: Uint8Array[] = [];
  if (transport === "udp") {
    for (const { direction, bytes } of pieces) {
      const ends = direction === "c2s" ? endsOf(one, other) : endsOf(other, one);
      packets.push(udpPacket(ends, bytes.subarray(0, 60_000)));
    }
    return packets;
  }
  const talk = new TcpTalk(one, other, [random.below(2 ** 32), random.below(2 ** 32)]);
  const handshake = talk.handshake();
  if (random.chance(9)) packets.push(...handshake);
  const longest = random.pick([7, 100, 1460, 60_000]);
  for (const { direction, bytes } of pieces) {
    for (let at = 0; at < bytes.length; ) {
      const length = 1 + random.below(longest);
      packets.push(talk.send(direction === "c2s" ? 0 : 1, bytes.slice(at, at + length)));
      at += length;
    }
  }
  if (random.chance(5)) packets.push(talk.fin(0), talk.fin(1), talk.ack(0));
  else if (random.chance(3)) packets.push(talk.rst(random.pick([0, 1])));
  return packets;
}

/** Checks that the written bytes are a capture without faults, with as many packets as were written. */
async function checkCapture(written: readonly Uint8Array[], packets: number): Promise<void> {
  if (packets === 0) return;
  const network = new Network({ opened: () => listening({}) });
  const listener = {
    packet: (packet: Packet) => network.packet(packet),
    problem({ offset, text }: CaptureProblem) {
      throw new Finding(`what was written is wrong at ${offset}: ${text}`);
    },
  };
  async function* chunks() {
    yield* written;
  }
  await readCapture(chunks(), "decrypted", listener);
  network.end();
  const read = network.counts.packets;
  if (read !== packets) throw new Finding(`${packets} packets were written, ${read} are read`);
}
