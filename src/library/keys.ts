import { copyOf } from "../common/copy-of.js";
import { UsageError } from "../common/usage-error.js";
import { embedKeys as embed } from "../export/embedded-keys.js";
import { defaultLimits } from "../limits.js";
import { abortable } from "../pipeline/abortable.js";
import type { EngineOptions } from "../pipeline/options.js";
import { passMessages } from "./dissect.js";
import type { EndOfRun } from "./end-of-run.js";
import { type CaptureInputs, capturesIn } from "./inputs.js";
import { RecoveredKeys } from "./recovered-keys.js";
import { APPLICATION, refuseReadOnce } from "./rewriting.js";
import { type Run, yielding } from "./run.js";

/** Options of a run that needs the conversations itself. */
export interface KeyOptions extends Omit<EngineOptions, "filter" | "network"> {}

/** The session keys that were recovered from captures. */
export interface KeyLog {
  /** The key log: a line for each key, and comments. It is itself a key file that opens these captures. Secret. */
  readonly text: string;
  /** How many keys there are. */
  readonly count: number;
  readonly end: EndOfRun;
}

/** Recovers the session keys of captures, which open them without the keys of the shard. */
export async function sessionKeys(captures: CaptureInputs, options: KeyOptions = {}): Promise<KeyLog> {
  const sources = capturesIn(captures);
  const lines: string[] = [];
  const keys = new RecoveredKeys(
    sources.map(({ name }) => name),
    (line) => void lines.push(line),
  );
  const network = { opened: () => ({ dissected: keys.session.bind(keys) }) };
  const end = await passMessages(sources, { ...options, network, skims: true }, (message) => {
    if (message.status === "encrypted") keys.noteRefused(message.conversation);
  });
  const text = lines.map((line) => `${line}\n`).join("");
  return { text, count: keys.count, end: { ...end, remarks: [...end.remarks, ...keys.remarks()] } };
}

/**
 * Yields a capture as pcapng with its session keys in it. It is read twice.
 *
 * @throws UsageError if there are several captures, or one that can be read only once
 */
export function embedKeys(captures: CaptureInputs, options: KeyOptions = {}): Run<Uint8Array> {
  return yielding(async (give, pause, hooks) => {
    const [source, ...others] = capturesIn(captures);
    if (source === undefined || others.length > 0) throw new UsageError("keys are put into one capture at a time");
    refuseReadOnce([source], "putting keys into a capture");
    const { text, end } = await sessionKeys(source, { ...options, ...hooks });
    // Nobody wants a capture of which only the keys are known.
    if (hooks.stop.aborted) return end;
    const keyLog = text.split("\n").slice(0, -1);
    const limits = { ...defaultLimits, ...options.limits };
    const write = (bytes: Uint8Array) => give(copyOf(bytes));
    const isWanted = async () => (await pause({ capture: 0, bytes: 0 })) !== false && !hooks.stop.aborted;
    const given = { ...source, open: () => abortable(source.open(hooks.stop), hooks.stop) };
    try {
      await embed(given, { keyLog, application: APPLICATION, limits }, write, isWanted);
    } catch (error) {
      if (!hooks.stop.aborted) throw error;
    }
    options.signal?.throwIfAborted();
    return end;
  }, options);
}
