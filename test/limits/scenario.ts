import { type DissectOptions, dissectCaptures } from "../../src/index.js";
import type { Limits } from "../../src/limits.js";
import { DissectedMessage } from "../../src/pipeline/dissected-message.js";
import { pcapFile } from "../support/captures.js";
import { type Run, run } from "../support/command-line.js";
import { inFile } from "../support/in-file.js";
import { RAW } from "../support/network.js";
import { type Ends, TcpTalk } from "../support/packets.js";
import { toyDissector } from "../support/toy.js";

/** What a limit prevents. */
export interface Scenario {
  /** A small value of the limit. */
  readonly value: number;
  readonly observe: (limits: Partial<Limits>) => unknown;
  /** What is observed with the small value, and with the default one. */
  readonly limited: unknown;
  readonly otherwise: unknown;
}

/** The result of dissecting a capture. */
export interface Observed {
  readonly messages: readonly DissectedMessage[];
  /** Conversation, direction and name of each message, with the text if it is a word. */
  readonly lines: readonly string[];
  /** Remarks on messages, except those about what was found again. */
  readonly notes: readonly string[];
  /** What is wrong with the file. */
  readonly problems: readonly string[];
  /** Remarks that do not belong to messages. */
  readonly remarks: readonly string[];
  /** How often each limit was reached, so that something was given up. */
  readonly reached: Readonly<Record<string, number>>;
  /** Packets that are in no conversation, by kind. */
  readonly others: Readonly<Record<string, number>>;
}

/** Dissects a capture through the library, as words unless other dissectors are given. */
export async function dissected(
  capture: Uint8Array,
  limits: Partial<Limits>,
  options: Omit<DissectOptions, "limits"> = { dissectors: [toyDissector()] },
): Promise<Observed> {
  const messages: DissectedMessage[] = [];
  const problems: string[] = [];
  const remarks: string[] = [];
  const run = await inFile(capture, async (path) => {
    const heard: DissectOptions = {
      onProblem: ({ text }) => problems.push(text),
      onRemark: (text) => remarks.push(text.slice(text.indexOf("capture (") + 8)),
      onInternalError: ({ error }) => {
        throw error;
      },
    };
    return dissectCaptures([path], { ...heard, ...options, limits }, (message) => {
      messages.push(new DissectedMessage(message));
    });
  });
  const lines = messages.map(({ conversation, direction, name, nodes }) => {
    const text = name === "Word" ? (nodes?.child(0, "text") ?? -1) : -1;
    return `${conversation.stream} ${direction} ${text < 0 ? name : nodes?.value(text)}`;
  });
  const notes = messages.flatMap((message) => message.notes.map(({ text }) => text));
  const { limits: reached, others } = run.packets;
  return {
    messages,
    lines,
    notes: notes.filter((text) => !text.startsWith("found ")),
    problems,
    remarks,
    reached: Object.fromEntries(reached),
    others: Object.fromEntries(others),
  };
}

/** Runs a command on a capture, with limits in the form of the command line. */
export function ran(capture: Uint8Array, limits: Partial<Limits>, ...args: readonly string[]): Promise<Run> {
  return inFile(capture, (path) => run([...args, path, ...limitArguments(limits)]));
}

export function limitArguments(limits: Partial<Limits>): string[] {
  return Object.entries(limits).flatMap(([name, value]) => ["--limit", `${name}=${value}`]);
}

/** A capture of IP packets, one per second by default; a pair is a packet and its time in seconds. */
export function captured(
  packets: readonly (Uint8Array | readonly [Uint8Array, number])[],
  { linkType = RAW, spacing = 1, snapLength = 262_144 } = {},
): Uint8Array {
  const records = packets.map((packet, index) => {
    const [whole, seconds] = packet instanceof Uint8Array ? [packet, (index + 1) * spacing] : packet;
    const data = whole.subarray(0, snapLength);
    return { data, originalLength: whole.length, time: BigInt(Math.round(seconds * 1e9)) };
  });
  return pcapFile(records, { linkType });
}

/** Two ends of a TCP connection to the server in these tests. */
export function talk(port = 1111, initial: readonly [number, number] = [1000, 9000]): TcpTalk {
  return new TcpTalk(["192.0.2.1", port], ["192.0.2.2", 5000], initial);
}

/** The two ends of datagrams. */
export function ends(port = 1111): Ends {
  return { source: "192.0.2.1", sourcePort: port, destination: "192.0.2.2", destinationPort: 5000 };
}
