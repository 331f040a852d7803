/**
 * Protocol dissector for Myst Online: Uru Live.
 *
 * ```ts
 * for await (const message of dissect("session.pcap", { keys: ["dirtsand.ini"] })) console.log(message.name);
 * ```
 */
import { bzflag } from "../dissectors/bzflag/index.js";
import { moul } from "../dissectors/moul/index.js";
import type { CaptureProblem } from "./capture/packet.js";
import { type CaptureOutcome, readCapture } from "./capture/reader.js";
import { CaptureError, captureName, openCapture } from "./capture/source.js";
import { displayFilter } from "./display-filter.js";
import { Dissection } from "./dissect/dissection.js";
import type { Message, MessageListener } from "./dissect/message.js";
import { DissectedMessage } from "./dissected-message.js";
import { defaultLimits, LimitCounts, type Limits } from "./limits.js";
import type { NetworkListener } from "./network/conversation.js";
import { Network, type PacketCounts } from "./network/network.js";
import { tee } from "./network/tee.js";
import { parseDecodeAs } from "./session/decode-as.js";
import { readDefinitionFiles } from "./session/definition-files.js";
import type { Dissector } from "./session/dissector.js";
import { problemOf } from "./session/dissector-check.js";
import type { InternalError } from "./session/failure.js";
import { type KeyRing, type KeyText, readKeyFiles, readKeyText } from "./session/key-files.js";
import type { PlaintextListener } from "./session/plaintext.js";
import type { RecognisedSession, SessionListener } from "./session/session.js";
import { Tracker } from "./session/tracker.js";

export type { CaptureProblem } from "./capture/packet.js";
export { CaptureError } from "./capture/source.js";
export { displayFilter } from "./display-filter.js";
export type { Message, MessageListener, MessageNote, Status } from "./dissect/message.js";
export { DissectedMessage } from "./dissected-message.js";
export { FilterError } from "./filter/filter-error.js";
export { defaultLimits, type LimitName, type Limits, limitFacts } from "./limits.js";
export type {
  ChecksumNote,
  Conversation,
  Direction,
  Endpoint,
  NetworkListener,
  Origin,
} from "./network/conversation.js";
export type { PacketCounts } from "./network/network.js";
export { DecodeAsError } from "./session/decode-as.js";
export type { Dissector } from "./session/dissector.js";
export { DissectorModuleError, loadDissector } from "./session/dissector-module.js";
export { DissectorFailure, type InternalError } from "./session/failure.js";
export type { KeyText } from "./session/key-files.js";
export type { PlaintextListener } from "./session/plaintext.js";

/** The dissectors that are built in. */
export const dissectors: readonly Dissector[] = [moul, bzflag];

/**
 * The given dissectors and the built-in ones, in the order in which they are asked.
 *
 * @throws TypeError naming a dissector that is none, or whose name is taken
 */
export function dissectorsWith(others: readonly Dissector[]): readonly Dissector[] {
  const names = new Set(dissectors.map(({ name }) => name));
  for (const other of others) {
    const problem = problemOf(other, names);
    if (problem !== undefined) throw new TypeError(`a dissector cannot be used: ${problem}`);
    names.add(other.name);
  }
  return [...others, ...dissectors];
}

/** What a run may be told. */
export interface DissectOptions {
  /** Paths of key files, or what would be in one; their formats are recognised by content. */
  readonly keys?: readonly (string | KeyText)[];
  /** Paths of `.sdl` files, or of folders of them; plain or encrypted. */
  readonly definitions?: readonly string[];
  /** Dissectors besides the built-in ones; they are asked first. See `loadDissector`. */
  readonly dissectors?: readonly Dissector[];
  /** What conversations speak, for what recognition cannot know: `tcp.port==5000,moul.game`, as Wireshark's `-d`. */
  readonly decodeAs?: readonly string[];
  /** Which messages are handed over: a display filter, as `-Y` takes it, or what decides. All of them are numbered. */
  readonly filter?: string | ((message: Message) => boolean);
  /** Verify the checksums of IPv4, TCP and UDP, and note those that are wrong. */
  readonly checksums?: boolean;
  /** Limits that differ from `defaultLimits`. */
  readonly limits?: Partial<Limits>;
  /** How many bytes of each capture are read, of files that grow meanwhile; without it, all there are when it is read. */
  readonly lengths?: readonly number[];
  /** Told what the network brings, before it is dissected: conversations, bytes in order, datagrams, gaps. */
  readonly network?: Partial<NetworkListener>;
  /** Told what recognised conversations bring, decrypted where a key is known. */
  readonly plaintext?: PlaintextListener;
  /** Told of each conversation that was recognised, when nothing more comes of it. */
  readonly onSession?: (session: RecognisedSession) => void;
  /** Told of everything that is wrong with a capture file; it has been read up to there. */
  readonly onProblem?: (problem: CaptureProblem) => void;
  /** Told what is odd about a key file or a definition file, in sentences without secrets. */
  readonly onRemark?: (remark: string) => void;
  /** Told of errors of this program or of a dissector: where one happens is given up, the rest goes on. */
  readonly onInternalError?: (error: InternalError) => void;
}

/** How a run went. */
export interface RunResult {
  /** One for each capture that was read, in order. */
  readonly captures: readonly CaptureOutcome[];
  /** False if a key file could not be used. */
  readonly keysComplete: boolean;
  /** Key files with private values of a server that everybody on this machine can read. */
  readonly keysExposed: readonly string[];
  /** False if a definition file could not be used. */
  readonly definitionsComplete: boolean;
  readonly packets: PacketCounts;
}

/** How far captures have been read. */
export interface ReadingPlace {
  /** Which of the captures, counted from 0. */
  readonly capture: number;
  /** Bytes of it so far, as they are in the file: of a compressed one, the compressed ones. */
  readonly bytes: number;
}

/**
 * Dissects captures one after the other, as one continuing recording, and hands each message to a listener. This is the
 * fast way: messages are not copied, and valid only during the call.
 *
 * @param paths of the captures; "-" is standard input
 * @param listener undefined if only conversations are of interest: then their messages are not dissected
 * @param pause called between blocks of input and waited for; false ends the run early
 * @throws DecodeAsError if a rule of `decodeAs` cannot be understood, FilterError if `filter` cannot, TypeError for a
 * dissector that is none
 */
export async function dissectCaptures(
  paths: readonly string[],
  options: DissectOptions,
  listener: MessageListener | undefined,
  pause?: (place: ReadingPlace) => Promise<boolean | undefined> | boolean | undefined,
): Promise<RunResult> {
  const known = dissectorsWith(options.dissectors ?? []);
  const decodeAs = (options.decodeAs ?? []).map((rule) => parseDecodeAs(rule, known));
  const passes = typeof options.filter === "string" ? await displayFilter(options.filter, known) : options.filter;
  const ring: KeyRing = await readKeyFiles(options.keys ?? [], known);
  const { definitions, ...shelf } = await readDefinitionFiles(options.definitions ?? [], known, ring.keys);
  for (const remark of [...ring.remarks, ...shelf.remarks]) options.onRemark?.(remark);
  const { onInternalError } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const limitCounts = new LimitCounts();
  const isOfInterest = listener !== undefined || options.plaintext !== undefined;
  const filtered: MessageListener = (message) => {
    if (passes === undefined || passes(message)) listener?.(message);
  };
  const dissection = new Dissection(isOfInterest ? filtered : undefined, onInternalError, limits);
  const sessions = withEnd(dissection, options);
  const tracker = new Tracker(known, ring.keys, sessions, definitions, {
    decodeAs,
    onInternalError,
    limits,
    limitCounts,
    plaintext: options.plaintext,
  });
  const listeners = options.network === undefined ? tracker : tee(tracker, options.network);
  const network = new Network(listeners, limits, options.checksums, limitCounts);
  const captures: CaptureOutcome[] = [];
  let lastFrame = 0;
  for (const path of paths) {
    const packets = {
      packet: network.packet.bind(network),
      problem: (problem: CaptureProblem) => options.onProblem?.(problem),
      secrets: (bytes: Uint8Array, name: string) => {
        // It may be of any kind. What nobody knows are not keys of ours, and there is nothing to be said of them.
        const { files, remarks } = readKeyText({ name, bytes }, known);
        if (files.length === 0) return;
        for (const remark of remarks) options.onRemark?.(remark);
        const isLeftOut = files.map(([dissector, file]) => !tracker.addKeys(dissector, file)).includes(true);
        if (isLeftOut) options.onRemark?.(`${name}: there are so many key files that this one is left out`);
      },
      remark: (text: string) => options.onRemark?.(text),
    };
    const between = pause && ((bytes: number) => pause({ capture: captures.length, bytes }));
    const name = captureName(path);
    const result = await readCapture(openCapture(path, undefined, options.lengths?.[captures.length]), name, packets, {
      lastFrame,
      limits,
      ...(between && { between }),
    });
    lastFrame = result.lastFrame;
    captures.push(result.outcome);
    if (result.outcome === "stopped") break;
  }
  network.end();
  return {
    captures,
    keysComplete: ring.complete,
    keysExposed: ring.exposed,
    definitionsComplete: shelf.complete,
    packets: network.counts,
  };
}

/** The listener, and behind it somebody who wants to know of the end of sessions. */
function withEnd(
  listener: SessionListener,
  { onSession, onInternalError }: Pick<DissectOptions, "onSession" | "onInternalError">,
): SessionListener {
  if (onSession === undefined) return listener;
  return {
    advanced: (session, direction) => listener.advanced(session, direction),
    datagram: (session, direction) => listener.datagram(session, direction),
    closed(session) {
      listener.closed(session);
      try {
        onSession(session);
      } catch (error) {
        // A dissector that was sound so far can fail when it is asked for the last time.
        const { conversation, spokenBy, streams } = session;
        const place = { stream: conversation.stream, direction: "c2s", offset: streams.c2s.offset } as const;
        onInternalError?.({ error, dissector: spokenBy.name, ...place });
      }
    },
  };
}

/**
 * Dissects a capture and yields its messages, each a copy that stays valid.
 *
 * @param path of the capture; "-" is standard input
 * @throws CaptureError if the capture cannot be read, or only in part: then after its messages. Not if `onProblem` is
 * there to be told. Besides, whatever `dissectCaptures` throws
 */
export async function* dissect(
  path: string,
  options: DissectOptions = {},
): AsyncGenerator<DissectedMessage, RunResult> {
  let ready: DissectedMessage[] = [];
  let wake = () => {};
  let resume = () => {};
  let stopped = false;
  const listener = (message: Message) => void ready.push(new DissectedMessage(message));
  const problems: CaptureProblem[] = [];
  const onProblem = options.onProblem ?? ((problem: CaptureProblem) => void problems.push(problem));
  const run = dissectCaptures([path], { ...options, onProblem }, listener, async () => {
    if (ready.length === 0) return true;
    wake();
    await new Promise<void>((resolve) => {
      resume = resolve;
    });
    return !stopped;
  });
  let done = false;
  const finished = run.finally(() => {
    done = true;
    wake();
  });
  // The failure of a run reaches the caller through the generator, below.
  finished.catch(() => {});
  try {
    while (!done || ready.length > 0) {
      if (ready.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const batch = ready;
      ready = [];
      yield* batch;
      resume();
    }
    const result = await finished;
    const [problem] = problems;
    if (problem !== undefined) throw new CaptureError(problem.file, problem.text);
    return result;
  } finally {
    stopped = true;
    resume();
  }
}
