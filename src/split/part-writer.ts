import type { Packet } from "../capture/packet.js";
import { PcapngWriter } from "../capture/pcapng-writer.js";
import type { Limits } from "../limits.js";
import type { CarriedEnds, NetworkListener, Transport } from "../network/conversation.js";
import { frameOrderOf } from "../network/frame-order.js";
import { Network } from "../network/network.js";
import { NOBODY } from "../network/tracked-conversation.js";
import { nameBlocks } from "../session/files/name-block.js";
import type { LearntName } from "../session/name-book.js";
import type { Flow } from "./flows.js";
import type { SplitPlan } from "./split-plan.js";

interface PartOptions {
  /** The program that writes the parts. */
  readonly application: string;
  readonly limits: Limits;
  /** The part for packets of no flow; undefined to leave them out. */
  readonly rest: number | undefined;
  /** The lines of a key log for each part, without line ends. */
  readonly keyLogs: readonly (readonly string[])[];
}

/** How far a part has been written. */
interface Written {
  packets: number;
  /** The interfaces that are described, by link type and length. */
  readonly interfaces: Map<string, number>;
  /** How many names and blocks of keys are behind it. */
  names: number;
  keys: number;
}

/** Takes bytes of a part, which are valid only during the call. */
export type PartSink = (part: number, bytes: Uint8Array) => void;

/**
 * The second reading of a capture that is split: writes each packet into its part, after the names and keys that a reader
 * of the whole knows by then.
 */
export class PartWriter {
  readonly #network: Network;
  readonly #writer: PcapngWriter;
  readonly #written: Written[] = [];
  readonly #keys: Uint8Array[] = [];
  /** The part that the writer writes to. */
  #part = 0;
  /** The flow of the current packet. */
  #flow: Flow | undefined;

  constructor(
    readonly plan: SplitPlan,
    readonly options: PartOptions,
    readonly sink: PartSink,
  ) {
    this.#writer = new PcapngWriter((bytes) => this.sink(this.#part, bytes));
    const listener: NetworkListener = {
      carries: (what, ends, packet) => this.#carries(what, ends, packet),
      opened: () => NOBODY,
    };
    this.#network = new Network(listener, { limits: options.limits });
  }

  /** Number of packets of a part. */
  packetsOf(part: number): number {
    return this.#written[part]?.packets ?? 0;
  }

  packet(packet: Packet): void {
    const part = this.#flowOf(packet)?.part ?? this.options.rest ?? -1;
    if (part < 0) return;
    this.#part = part;
    const written = this.#partAt(this.#part);
    this.#tell(written, packet);
    const { seconds, nanoseconds, linkType, data, originalLength } = packet;
    const interfaceNumber = this.#interfaceOf(written, linkType, data.length);
    this.#writer.packet({ seconds, nanoseconds, data, originalLength }, interfaceNumber);
    this.#writer.flush();
    written.packets++;
  }

  /** Takes keys that the capture has in it: they go into all parts. */
  secrets(bytes: Uint8Array): void {
    this.#keys.push(bytes.slice());
  }

  #flowOf(packet: Packet): Flow | undefined {
    this.#flow = undefined;
    this.#network.packet(packet);
    return this.#flow;
  }

  #carries(what: Transport | "fragment", ends: CarriedEnds, { frame }: Packet): void {
    this.#flow = this.plan.flows.of(what, ends, frame);
  }

  #partAt(part: number): Written {
    const known = this.#written[part];
    if (known !== undefined) return known;
    const written = { packets: 0, interfaces: new Map<string, number>(), names: 0, keys: 0 };
    this.#written[part] = written;
    return written;
  }

  /** Writes what a reader of the whole knows before a packet, and a reader of the part does not. */
  #tell(written: Written, packet: Packet): void {
    const writer = this.#writer;
    if (written.packets === 0) {
      writer.section(this.options.application, "A part of a capture: its frames had other numbers there.");
      const keyLog = this.options.keyLogs[this.#part] ?? [];
      if (keyLog.length > 0) writer.keyLog(`${keyLog.join("\n")}\n`);
    }
    for (; written.keys < this.#keys.length; written.keys++) writer.keyLog(this.#keys[written.keys] ?? NOTHING);
    const { lessons } = this.plan;
    const now = frameOrderOf(packet);
    // Only the latest name of each thing counts.
    const news = new Map<string, LearntName>();
    for (let lesson = lessons[written.names]; lesson !== undefined && lesson.frameOrder < now; ) {
      const { dissector, kind, id, name, flow } = lesson;
      if (flow.part !== this.#part) news.set(JSON.stringify([dissector, kind, id]), { dissector, kind, id, name });
      lesson = lessons[++written.names];
    }
    if (news.size > 0) for (const block of nameBlocks(news.values())) writer.keyLog(block);
  }

  #interfaceOf({ interfaces }: Written, linkType: number, length: number): number {
    const { packetLength, declaredPacketLength } = this.options.limits;
    // A reader need not accept packets that are longer than usual, unless the interface declares them.
    const snapLength = length > packetLength ? declaredPacketLength : 0;
    const key = `${linkType} ${snapLength}`;
    let number = interfaces.get(key);
    if (number === undefined) {
      number = interfaces.size;
      interfaces.set(key, number);
      this.#writer.interface({ linkType, snapLength });
    }
    return number;
  }
}

const NOTHING = new Uint8Array(0);
