import { moul } from "../../dissectors/moul/index.js";
import { Dissection } from "../../src/dissect/dissection.js";
import type { Dissector, KeyFile } from "../../src/dissector/dissector.js";
import type { InternalError } from "../../src/dissector/failure.js";
import { defaultLimits, type Limits } from "../../src/limits.js";
import { Network } from "../../src/network/network.js";
import { DissectedMessage } from "../../src/pipeline/dissected-message.js";
import { Tracker } from "../../src/session/tracker.js";
import { RAW } from "./network.js";

/** The result of dissecting packets. */
export class DissectedRun {
  readonly messages: DissectedMessage[] = [];
  readonly errors: InternalError[] = [];
  /** Bytes that still waited for more at the end. */
  waiting = 0;

  /** One line per message: conversation, direction, name, and the status unless it is ok. */
  get lines(): string[] {
    return this.messages.map(({ conversation, direction, name, status }) =>
      `${conversation.stream} ${direction} ${name} ${status === "ok" ? "" : status}`.trimEnd(),
    );
  }

  /** The lines of one direction, by default of the first conversation, without these two. */
  direction(direction: "c2s" | "s2c", stream = 0): string[] {
    const start = `${stream} ${direction} `;
    return this.lines.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length));
  }

  /** The remarks on the messages with this name. */
  notes(name: string): string[] {
    return this.messages
      .filter((message) => message.name === name)
      .flatMap(({ notes }) => notes.map(({ text }) => text));
  }

  message(name: string): DissectedMessage {
    const found = this.messages.find((message) => message.name === name);
    if (found === undefined) throw new Error(`there is no ${name}`);
    return found;
  }
}

interface DissectingOptions {
  /** Key files by name, with their content. */
  readonly keys?: Readonly<Record<string, string>>;
  readonly dissectors?: readonly Dissector[];
  readonly limits?: Partial<Limits>;
  /** When each packet was captured, if not in the order of frames. */
  readonly seconds?: readonly number[];
}

/**
 * Dissects packets that begin with an IP header: frame 1, 2, ..., one per second. An undefined one is missing from the
 * capture; a pair of packet and length is cut to that length.
 */
export function dissectPackets(
  packets: readonly (Uint8Array | readonly [Uint8Array, number] | undefined)[],
  { keys = {}, dissectors = [moul], limits, seconds }: DissectingOptions = {},
): DissectedRun {
  const dissected = new DissectedRun();
  const allLimits = { ...defaultLimits, ...limits };
  const onInternalError = (error: InternalError) => void dissected.errors.push(error);
  const dissection = new Dissection((message) => dissected.messages.push(new DissectedMessage(message)), {
    onInternalError,
    limits: allLimits,
  });
  const files = Object.entries(keys).map(([name, text]) => [name, new TextEncoder().encode(text)] as const);
  const ring = new Map(
    dissectors.map((dissector): [Dissector, KeyFile[]] => [
      dissector,
      files.flatMap(([name, bytes]) => dissector.readKeys?.(name, bytes) ?? []),
    ]),
  );
  const tracker = new Tracker(dissectors, dissection, { keys: ring, onInternalError, limits: allLimits });
  const network = new Network(tracker, { limits: allLimits });
  let frame = 0;
  for (const [index, packet] of packets.entries()) {
    if (packet === undefined) continue;
    const [whole, length] = packet instanceof Uint8Array ? [packet, packet.length] : packet;
    const data = whole.slice(0, length);
    frame++;
    const time = { seconds: seconds?.[index] ?? frame, nanoseconds: 0 };
    network.packet({ frame, ...time, linkType: RAW, data, originalLength: whole.length });
    // As a reader does that reuses its buffer.
    data.fill(0xee);
  }
  network.end();
  dissected.waiting = dissection.waiting;
  return dissected;
}
