import { type ClockStep, ClockWatch } from "../capture/clock.js";
import type { TimeSpan } from "../capture/delivery.js";
import type { CaptureProblem, Packet } from "../capture/packet.js";
import { type CaptureOutcome, type CaptureResult, readCapture } from "../capture/reader.js";
import { captureName, openCapture } from "../capture/source.js";
import { Dissection, type MessageOrder } from "../dissect/dissection.js";
import type { Message, MessageListener } from "../dissect/message.js";
import type { Dissector } from "../dissector/dissector.js";
import type { InternalError } from "../dissector/failure.js";
import { defaultLimits, LimitCounts, type Limits } from "../limits.js";
import type { NetworkListener } from "../network/conversation.js";
import { Network, type PacketCounts } from "../network/network.js";
import { tee } from "../network/tee.js";
import { parseDecodeAs } from "../session/decode-as.js";
import { readDefinitionFiles } from "../session/files/definition-files.js";
import { readKeyFile, readKeyFiles } from "../session/files/key-files.js";
import type { FileInMemory } from "../session/files/offered-file.js";
import type { NameChange } from "../session/name-book.js";
import type { RecognisedConversation } from "../session/session.js";
import type { PlaintextListener } from "../session/stream/plaintext.js";
import { Tracker } from "../session/tracker.js";
import { displayFilter } from "./display-filter.js";
import { dissectorsWith } from "./dissectors.js";

/** Options of a run. */
export interface DissectOptions {
  /** Key files: their paths or their content. Formats are recognised by content. */
  readonly keys?: readonly (string | FileInMemory)[];
  /** Definition files (`.sdl`), plain or encrypted: paths of files or folders, or the content of files. */
  readonly definitions?: readonly (string | FileInMemory)[];
  /** Dissectors besides the built-in ones; they are asked first. See `loadDissector`. */
  readonly dissectors?: readonly Dissector[];
  /**
   * Which protocol conversations speak, for cases where recognition fails: rules in the form of Wireshark's `-d`, such
   * as `tcp.port==5000,moul.game`.
   */
  readonly decodeAs?: readonly string[];
  /**
   * Which messages reach the listener: a display filter, as accepted by `-Y`, or a function that decides. All messages
   * are numbered, whether they pass or not.
   */
  readonly filter?: string | ((message: Message) => boolean);
  /** True to verify the checksums of IPv4, TCP and UDP, and note those that are wrong. */
  readonly checksums?: boolean;
  /** True to keep datagrams that were recorded a second time, on another interface or path. */
  readonly keepDuplicates?: boolean;
  /** Limits that differ from `defaultLimits`. */
  readonly limits?: Partial<Limits>;
  /**
   * How many bytes of each capture to read, for files that are still growing; by default, all that exist at the time of
   * reading.
   */
  readonly lengths?: readonly number[];
  /**
   * False to stop dissecting a direction after a message whose end is not known: what is found there may be part of
   * that message, and look like messages by chance.
   */
  readonly searchesAfterUnknownEnd?: boolean;
  /** How messages are put in order; by default, as in the capture. With a `plaintext` listener, by conversation. */
  readonly order?: MessageOrder;
  /** Receives what the network brings, before it is dissected: conversations, bytes in order, datagrams, gaps. */
  readonly network?: Partial<NetworkListener>;
  /** Receives what recognised conversations bring, decrypted where a key is known. */
  readonly plaintext?: PlaintextListener;
  /** Called for each conversation once it is recognised. */
  readonly onRecognised?: (session: RecognisedConversation) => void;
  /** Called when a name becomes known to a dissector, changes, or is dropped because it stands for something else. */
  readonly onName?: (dissector: Dissector, change: NameChange) => void;
  /**
   * Called for each recognised conversation, once it has ended and its last message has been passed on: that can be
   * after `network` was told of its end, as the message may wait for earlier ones of other conversations.
   */
  readonly onSession?: (session: RecognisedConversation) => void;
  /** Called if something is wrong with a capture file, which has been read up to that point. */
  readonly onProblem?: (problem: CaptureProblem) => void;
  /** Called where the clock of a recorder was set back: durations that span this mean nothing. */
  readonly onClockSetBack?: (step: ClockStep) => void;
  /** Called with what is odd about a key file, a definition file or a capture, in a sentence without secrets. */
  readonly onRemark?: (remark: string) => void;
  /** Called on an error in this program or in a dissector: whatever failed is given up, the rest continues. */
  readonly onInternalError?: (error: InternalError) => void;
  /**
   * Asked before each packet: true if it has to wait until `pause` has been called and has returned, because there is no
   * room for more output.
   */
  readonly isFull?: () => boolean;
}

/** What the reading needs to know. */
interface ReadingOptions extends DissectOptions {
  readonly limits: Limits;
  readonly limitCounts: LimitCounts;
}

/** How a run went. */
export interface RunResult {
  /** One for each capture that was read, in order. */
  readonly captures: readonly CaptureOutcome[];
  /** False if a key file could not be used. */
  readonly keysComplete: boolean;
  /** Key files with private values of a server that all users of this machine can read. */
  readonly keysExposed: readonly string[];
  /** False if a definition file could not be used. */
  readonly definitionsComplete: boolean;
  readonly packets: PacketCounts;
}

/** How far captures have been read. */
export interface ReadingPlace {
  /** Which of the captures, counted from 0. */
  readonly capture: number;
  /** Bytes of the file that have been read so far; of a compressed file, compressed bytes. */
  readonly bytes: number;
}

/** Called between blocks of input and waited for; false ends the run early. */
export type Pause = (place: ReadingPlace) => Promise<boolean | undefined> | boolean | undefined;

/**
 * Dissects captures one after the other, as one continuous recording, and passes each message to a listener. This is
 * the fast way: messages are not copied, and are valid only during the call.
 *
 * @param paths of the captures; "-" is standard input
 * @param listener undefined if only conversations are of interest: then their messages are not dissected
 * @throws DecodeAsError if a rule of `decodeAs` cannot be understood, FilterError if `filter` cannot, TypeError if
 * one of `dissectors` is not a dissector
 */
export async function dissectCaptures(
  paths: readonly string[],
  options: DissectOptions,
  listener: MessageListener | undefined,
  pause?: Pause,
): Promise<RunResult> {
  const { onInternalError, onRemark, onSession, plaintext, searchesAfterUnknownEnd, order } = options;
  const known = dissectorsWith(options.dissectors ?? []);
  const decodeAs = (options.decodeAs ?? []).map((rule) => parseDecodeAs(rule, known));
  const filteredListener = listener && (await filtered(listener, options.filter, known));
  const keyFiles = await readKeyFiles(options.keys ?? [], known);
  const definitionFiles = await readDefinitionFiles(options.definitions ?? [], known, keyFiles.keys);
  for (const remark of [...keyFiles.remarks, ...definitionFiles.remarks]) onRemark?.(remark);
  const limits = { ...defaultLimits, ...options.limits };
  const limitCounts = new LimitCounts();
  // A plaintext listener receives plaintext as messages are dissected, even if no listener takes the messages.
  const dissection = new Dissection(filteredListener ?? (plaintext && (() => {})), {
    onInternalError,
    onSession,
    limits,
    searchesAfterUnknownEnd,
    // Plaintext does not wait for that of other conversations.
    order: plaintext === undefined ? order : "conversation",
  });
  const tracker = new Tracker(known, dissection, {
    keys: keyFiles.keys,
    definitions: definitionFiles.definitions,
    decodeAs,
    onInternalError,
    limits,
    limitCounts,
    plaintext,
    onRecognised: options.onRecognised,
    onName: options.onName,
  });
  const listeners = options.network === undefined ? tracker : tee(tracker, options.network);
  const network = new Network(listeners, {
    limits,
    checksums: options.checksums,
    keepsDuplicates: options.keepDuplicates,
    limitCounts,
  });
  const captures = await readAll(paths, network, tracker, { ...options, limits, limitCounts }, pause);
  network.end();
  return {
    captures,
    keysComplete: keyFiles.complete,
    keysExposed: keyFiles.exposed,
    definitionsComplete: definitionFiles.complete,
    packets: network.counts,
  };
}

/** A listener that receives only the messages that pass a filter. */
async function filtered(
  listener: MessageListener,
  filter: DissectOptions["filter"],
  known: readonly Dissector[],
): Promise<MessageListener> {
  if (filter === undefined) return listener;
  const passes = typeof filter === "string" ? await displayFilter(filter, known) : filter;
  return (message) => {
    if (passes(message)) listener(message);
  };
}

/** Passes the packets of captures to the network, one capture after the other; returns how far each was read. */
async function readAll(
  paths: readonly string[],
  network: Network,
  tracker: Tracker,
  { onProblem, onRemark, onClockSetBack, lengths, isFull, limits, limitCounts }: ReadingOptions,
  pause: Pause | undefined,
): Promise<CaptureOutcome[]> {
  let keyBytes = 0;
  const clock = onClockSetBack && new ClockWatch(onClockSetBack);
  const listener = {
    packet: (packet: Packet) => {
      clock?.see(packet);
      network.packet(packet);
    },
    problem: (problem: CaptureProblem) => onProblem?.(problem),
    secrets: (bytes: Uint8Array, name: string) => {
      if (keyBytes + bytes.length > limits.keyBytes) limitCounts.reached("keyBytes");
      else if (addKeys({ name, bytes }, tracker, onRemark)) keyBytes += bytes.length;
    },
    remark: (text: string) => onRemark?.(text),
  };
  const captures: CaptureOutcome[] = [];
  let lastFrame = 0;
  let previousSpan: TimeSpan | undefined;
  for (const [capture, path] of paths.entries()) {
    const chunks = openCapture(path, lengths?.[capture]);
    clock?.begin();
    const result: CaptureResult = await readCapture(chunks, captureName(path), listener, {
      lastFrame,
      limits,
      isFull,
      between: (bytes) => pause?.({ capture, bytes }),
    });
    lastFrame = result.lastFrame;
    const { span } = result;
    if (previousSpan !== undefined && span !== undefined && span.begin < previousSpan.end) {
      onRemark?.(`${captureName(path)} begins before the previous capture ends; they are read one after the other`);
    }
    previousSpan = span ?? previousSpan;
    captures.push(result.outcome);
    if (result.outcome === "stopped") break;
  }
  return captures;
}

/**
 * Takes keys that a capture contains. They may be of any kind, so those that no dissector knows are not worth a remark.
 *
 * @returns false if no dissector knows them
 */
function addKeys(file: FileInMemory, tracker: Tracker, onRemark: DissectOptions["onRemark"]): boolean {
  const { files, remarks } = readKeyFile(file, tracker.dissectors);
  if (files.length === 0) return false;
  for (const remark of remarks) onRemark?.(remark);
  const isLeftOut = files.map(([dissector, keys]) => !tracker.addKeys(dissector, keys)).includes(true);
  if (isLeftOut) onRemark?.(`${file.name}: there are too many key files; this one is left out`);
  return true;
}
