/**
 * Measures how fast captures become streams: 100 MB of TCP in small and in large segments, as pcap and as pcapng,
 * through the capture and network rooms alone. Prints a line for each; `npm run bench:network`.
 */
import { readCapture } from "../../src/capture/reader.js";
import type { NetworkListener } from "../../src/network/conversation.js";
import { Network } from "../../src/network/network.js";
import { listening } from "../support/recording.js";
import { median } from "./traffic/run.js";

const LENGTH = 100_000_000;
const ROUNDS = 7;
const BLOCK = 256 * 1024;
const CONVERSATIONS = 8;
const ETHERNET = 14;
const IP = 20;
const TCP = 20;

/**
 * Writes a segment in an Ethernet frame; every four in a row belong to one conversation, the fourth going the other
 * way.
 */
function frame(payload: number, index: number, next: [number, number][]): Uint8Array {
  const bytes = new Uint8Array(ETHERNET + IP + TCP + payload).fill(index);
  const view = new DataView(bytes.buffer);
  const conversation = (index >> 2) % CONVERSATIONS;
  const fromServer = (index & 3) === 3;
  const numbers = next[conversation] ?? [0, 0];
  const [source, destination] = fromServer ? [2, 1] : [1, 2];
  const [sourcePort, destinationPort] = fromServer ? [14_617, 40_000 + conversation] : [40_000 + conversation, 14_617];
  view.setUint16(12, 0x0800);
  view.setUint32(14, 0x4500_0000 + IP + TCP + payload);
  view.setUint32(18, 0x0000_4000);
  view.setUint32(22, 0x4006_0000);
  view.setUint32(26, 0x0a00_0000 + source);
  view.setUint32(30, 0x0a00_0000 + destination);
  view.setUint16(34, sourcePort);
  view.setUint16(36, destinationPort);
  view.setUint32(38, numbers[fromServer ? 1 : 0] ?? 0);
  view.setUint32(42, numbers[fromServer ? 0 : 1] ?? 0);
  view.setUint32(46, 0x5018_ffff);
  view.setUint32(50, 0);
  numbers[fromServer ? 1 : 0] = ((numbers[fromServer ? 1 : 0] ?? 0) + payload) >>> 0;
  return bytes;
}

/** A capture file: its header, and as many records as fit. */
function capture(header: readonly number[], payload: number, record: (bytes: Uint8Array) => Uint8Array): Uint8Array {
  const file = new Uint8Array(LENGTH);
  file.set(new Uint8Array(Uint32Array.from(header).buffer));
  const next = Array.from({ length: CONVERSATIONS }, (): [number, number] => [1, 1]);
  let at = 4 * header.length;
  for (let index = 0; ; index++) {
    const bytes = record(frame(payload, index, next));
    if (at + bytes.length > LENGTH) return file.subarray(0, at);
    file.set(bytes, at);
    at += bytes.length;
  }
}

function words(...numbers: readonly number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(numbers).buffer);
}

function pcapRecord(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([words(0, 0, bytes.length, bytes.length), bytes]);
}

function pcapngRecord(bytes: Uint8Array): Uint8Array {
  const padding = -bytes.length & 3;
  const length = 32 + bytes.length + padding;
  const head = words(6, length, 0, 0, 0, bytes.length, bytes.length);
  return Buffer.concat([head, bytes, new Uint8Array(padding), words(length)]);
}

async function* blocks(file: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.length; at += BLOCK) yield file.subarray(at, at + BLOCK);
}

async function measure(file: Uint8Array): Promise<{ milliseconds: number; packets: number }> {
  const rounds: number[] = [];
  let packets = 0;
  for (let round = 0; round < ROUNDS; round++) {
    let bytes = 0;
    const listener: NetworkListener = {
      opened: () =>
        listening({
          bytes: (_direction, part) => {
            bytes += part.length;
          },
        }),
    };
    const network = new Network(listener);
    const start = performance.now();
    const problem = ({ text }: { readonly text: string }) => {
      throw new Error(text);
    };
    await readCapture(blocks(file), "synthetic", { packet: (packet) => network.packet(packet), problem });
    network.end();
    rounds.push(performance.now() - start);
    packets = network.counts.tcp;
    if (bytes === 0) throw new Error("no bytes came out");
  }
  return { milliseconds: median(rounds), packets };
}

const PCAP = [0xa1b2c3d4, 0x0004_0002, 0, 0, 262_144, 1];
const PCAPNG = [0x0a0d0d0a, 28, 0x1a2b3c4d, 1, 0xffff_ffff, 0xffff_ffff, 28, 1, 20, 1, 0, 20];

for (const payload of [120, 1448]) {
  for (const [name, header, record] of [
    ["pcap", PCAP, pcapRecord],
    ["pcapng", PCAPNG, pcapngRecord],
  ] as const) {
    const file = capture(header, payload, record);
    const { milliseconds, packets } = await measure(file);
    const rate = file.length / 1000 / milliseconds;
    const each = (milliseconds * 1e6) / packets;
    console.log(`${name}, ${payload} bytes a segment: ${rate.toFixed(0)} MB/s, ${each.toFixed(0)} ns a packet`);
  }
}
