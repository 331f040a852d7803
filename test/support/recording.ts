import { createHash } from "node:crypto";
import type { CaptureProblem, Packet, PacketListener } from "../../src/capture/packet.js";
import { type CaptureOptions, type CaptureResult, readCapture } from "../../src/capture/reader.js";
import { endpointText } from "../../src/network/address.js";
import type {
  ChecksumNote,
  Conversation,
  ConversationListener,
  NetworkListener,
  Origin,
} from "../../src/network/conversation.js";
import { NOBODY } from "../../src/network/tracked-conversation.js";

/** Listeners that record what they receive, for tests to examine. */

/** A packet as plain values, its data in hexadecimal. */
interface SeenPacket {
  readonly frame: number;
  readonly time: string;
  readonly linkType: number;
  readonly data: string;
  readonly originalLength: number;
}

export class PacketLog implements PacketListener {
  readonly packets: SeenPacket[] = [];
  readonly problems: CaptureProblem[] = [];
  readonly remarks: string[] = [];
  /** Names and texts, with the number of packets before them. */
  readonly secretsSeen: (readonly [packets: number, name: string, text: string])[] = [];

  secrets(bytes: Uint8Array, name: string): void {
    this.secretsSeen.push([this.packets.length, name, Buffer.from(bytes).toString("latin1")]);
  }

  remark(text: string): void {
    this.remarks.push(text);
  }

  packet(packet: Packet): void {
    const { frame, linkType, originalLength } = packet;
    const time = `${packet.seconds}.${String(packet.nanoseconds).padStart(9, "0")}`;
    this.packets.push({ frame, time, linkType, data: Buffer.from(packet.data).toString("hex"), originalLength });
  }

  problem(problem: CaptureProblem): void {
    this.problems.push(problem);
  }
}

/** An async iterable of chunks that are overwritten once the next one is requested, like those of a file. */
export async function* fleeting(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    const copy = chunk.slice();
    yield copy;
    copy.fill(0xee);
  }
}

/** Reads a capture from chunks and logs what comes out. */
export async function readLog(
  chunks: Iterable<Uint8Array>,
  options?: CaptureOptions,
): Promise<{ log: PacketLog; result: CaptureResult }> {
  const log = new PacketLog();
  const result = await readCapture(fleeting(chunks), "test.pcap", log, options);
  return { log, result };
}

/** A conversation's listener, of which only some methods matter. */
export function listening(methods: Partial<ConversationListener>): ConversationListener {
  return { ...NOBODY, ...methods };
}

/** Records a network's events, one line per call; bytes as Latin-1 text. */
export class NetworkLog implements NetworkListener {
  readonly lines: string[] = [];

  opened(conversation: Conversation, origin: Origin): ConversationListener {
    const { stream, transport, client, server, clientIsKnown, path } = conversation;
    const sure = clientIsKnown ? "" : "?";
    const via = path === "" ? "" : ` (${path})`;
    const log = (line: string) => void this.lines.push(`${stream} ${line}`);
    log(`opened ${transport} ${endpointText(client)}${sure} > ${endpointText(server)}${via} #${origin.frame}`);
    return listening({
      conflict: (direction, differing, { frame }) => log(`${direction} conflict ${differing} #${frame}`),
      bytes: (direction, bytes, { frame }) => log(`${direction} ${latin1(bytes)} #${frame}`),
      gap: (direction, length, reason, { frame }) => log(`${direction} gap ${length} ${reason} #${frame}`),
      datagram: (direction, bytes, missing, { frame }) =>
        log(`${direction} datagram ${latin1(bytes)}${missing === 0 ? "" : ` -${missing}`} #${frame}`),
      finished: (direction) => log(`${direction} finished`),
      closed: (reason) => log(`closed ${reason}`),
    });
  }

  checksum({ layer, found, expected, isOffloaded }: ChecksumNote, origin: Origin): void {
    const offloaded = isOffloaded ? " offloaded" : "";
    this.lines.push(
      `${layer} checksum ${found.toString(16)} not ${expected.toString(16)}${offloaded} #${origin.frame}`,
    );
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

/** Hashes the bytes of each direction of each conversation. */
export class StreamHashes implements NetworkListener {
  readonly #hashes = new Map<string, { hash: ReturnType<typeof createHash>; bytes: number }>();
  gaps = 0;

  /** By "stream client server direction": the number of bytes and their SHA-256. */
  get summary(): ReadonlyMap<string, string> {
    const entries = [...this.#hashes].map(
      ([key, { hash, bytes }]) => [key, `${bytes} ${hash.copy().digest("hex")}`] as const,
    );
    return new Map(entries);
  }

  opened({ stream, client, server }: Conversation): ConversationListener {
    return listening({
      bytes: (direction, bytes) => {
        const key = `${stream} ${endpointText(client)} ${endpointText(server)} ${direction}`;
        const entry = this.#hashes.get(key) ?? { hash: createHash("sha256"), bytes: 0 };
        entry.hash.update(bytes);
        entry.bytes += bytes.length;
        this.#hashes.set(key, entry);
      },
      gap: () => {
        this.gaps++;
      },
    });
  }
}
