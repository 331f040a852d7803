import type { CaptureOutcome } from "../capture/reader.js";
import type { CaptureSource } from "../capture/source.js";
import { Dissection } from "../dissect/dissection.js";
import type { MessageListener } from "../dissect/message.js";
import type { Dissector } from "../dissector/dissector.js";
import { defaultLimits, LimitCounts } from "../limits.js";
import { Network, type PacketCounts } from "../network/network.js";
import { parseDecodeAs } from "../session/decode-as.js";
import { readDefinitionFiles } from "../session/files/definition-files.js";
import { readKeyFiles } from "../session/files/key-files.js";
import { Tracker } from "../session/tracker.js";
import { displayFilter } from "./display-filter.js";
import { dissectors as builtIn, dissectorsWith } from "./dissectors.js";
import type { EngineOptions, RunHooks } from "./options.js";
import { type Pause, readCaptures } from "./read-captures.js";
import { limitsOfShare, type Share } from "./share.js";

/** How a run went. */
export interface RunResult {
  /** One for each capture that was read, in order. */
  readonly captures: readonly CaptureOutcome[];
  /** False if a key file could not be used. */
  readonly keysComplete: boolean;
  /** Names of key files with private values of a server that all users of this machine can read. */
  readonly keysExposed: readonly string[];
  /** False if a definition file could not be used. */
  readonly definitionsComplete: boolean;
  readonly packets: PacketCounts;
}

/**
 * The whole way of the data: reads captures, and passes each message to a listener. See `dissectCaptures`, which is this
 * for programs.
 */
export async function runCaptures(
  captures: readonly CaptureSource[],
  options: EngineOptions & RunHooks,
  listener: MessageListener | undefined,
  pause?: Pause,
): Promise<RunResult> {
  const {
    onInternalError,
    onRemark,
    onName,
    searchesAfterUnknownEnd,
    order,
    skims,
    answeredBy,
    network: observer,
    share,
  } = options;
  const known = dissectorsWith(options.dissectors ?? []);
  const decodeAs = (options.decodeAs ?? []).map((rule) => parseDecodeAs(rule, known));
  const filteredListener = listener && (await filtered(listener, options.filter, known));
  const { keys, ...keyFiles } = await readKeyFiles(options.keys ?? [], known);
  const { definitions, ...definitionFiles } = await readDefinitionFiles(options.definitions ?? [], known, keys);
  for (const remark of [...keyFiles.remarks, ...definitionFiles.remarks]) onRemark?.(remark);
  const allLimits = { ...defaultLimits, ...options.limits };
  const limits = share === undefined ? allLimits : limitsOfShare(allLimits, share);
  const limitCounts = new LimitCounts();

  // The way of the data, from its end to its beginning.
  const dissection = new Dissection(filteredListener, {
    onInternalError,
    limits,
    searchesAfterUnknownEnd,
    order,
    skims,
    answeredBy,
    watch: share?.order,
  });
  const recognition = {
    keys,
    definitions,
    trusted: new Set(builtIn),
    decodeAs,
    onInternalError,
    onName,
    watchNames: share?.watchNames,
  };
  const ofShare = { owns: share && ((stream: number) => share.owns(stream)), order: share?.order };
  const tracker = new Tracker(known, dissection, { ...recognition, ...ofShare, limits, limitCounts, observer });
  const network = new Network(tracker, {
    limits,
    limitCounts,
    checksums: options.checksums,
    keepsDuplicates: options.keepDuplicates,
    comparesRepeats: observer?.comparesRepeats,
  });
  const stop = options.stop ?? options.signal;
  const check = share && (() => checkDivision(share, tracker, limitCounts));
  const between: Pause | undefined =
    check === undefined
      ? pause
      : (place) => {
          check();
          return pause?.(place);
        };
  const outcomes = await readCaptures(captures, network, tracker, { ...options, stop, limits, limitCounts }, between);
  network.end();
  check?.();
  options.signal?.throwIfAborted();
  return {
    captures: outcomes,
    keysComplete: keyFiles.complete,
    keysExposed: keyFiles.exposed,
    definitionsComplete: definitionFiles.complete,
    packets: network.counts,
  };
}

/** Finds out whether what conversations share may make a difference between one thread and several. */
function checkDivision({ threads, order, unusual }: Share, tracker: Tracker, { counts }: LimitCounts): void {
  if (order.isUncertain) unusual("the order of messages is uncertain");
  if (!tracker.isDivisible(threads)) unusual("conversations depend on each other");
  const [limit] = counts.keys();
  if (limit !== undefined) unusual(`the limit "${limit}" was reached`);
}

/** A listener that receives only the messages that pass a filter. */
async function filtered(
  listener: MessageListener,
  filter: EngineOptions["filter"],
  known: readonly Dissector[],
): Promise<MessageListener> {
  if (filter === undefined) return listener;
  const passes = typeof filter === "string" ? await displayFilter(filter, known) : filter;
  return (message) => {
    if (passes(message)) listener(message);
  };
}
