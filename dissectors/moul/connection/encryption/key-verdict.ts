import type { Step } from "moul-dissect/dissector";
import type { ServerMessages } from "../../messages/messageTable.js";
import { isConvincing, isNonsense, type Trial } from "./key-trial.js";

/** A way to read the messages of a connection. */
export interface Choice {
  /** The session key; undefined for clear text. */
  readonly key: Uint8Array | undefined;
  /** Where the key comes from; empty for clear text. */
  readonly source: string;
}

/** A choice, with its trial on each direction that can be tried. */
interface TriedChoice extends Choice {
  readonly trials: readonly Trial[];
}

/** What the trials say about the choices. */
type Verdict =
  | { readonly is: "chosen"; readonly choice: Choice }
  /** There are not enough bytes yet to tell. */
  | { readonly is: "open"; readonly step: Step }
  | { readonly is: "none" };

/**
 * Selects the choice that makes sense of the available bytes of both directions.
 *
 * @param tried at least one
 * @param isAll true if the available bytes have to do: no more will come, or no more would be tried
 */
export function verdictOn(tried: readonly TriedChoice[], isAll: boolean): Verdict {
  const best = tried.reduce((most, other) => (sense(other) > sense(most) ? other : most));
  if (best.trials.some(isConvincing) || sense(best) > 1) return { is: "chosen", choice: best };

  // Both directions have to be seen: one of them may begin with an unknown message.
  const hopeless = tried.every(({ trials }) => trials.length > 1 && trials.every(isNonsense));
  if (!isAll && !hopeless) return { is: "open", step: { step: "wait" } };
  const possible = tried.filter(({ trials }) => !trials.some(isNonsense));
  const likely = possible.find(({ key, trials }) => key !== undefined && trials.some(({ begun }) => begun));
  if (likely !== undefined) return { is: "chosen", choice: likely };
  // What cannot be tried at all, as bytes are missing, never will be.
  const isUntold = possible.some(({ trials }) => trials.length > 0 && !trials.some(({ begun }) => begun));
  return isUntold ? { is: "open", step: { step: "more", bytes: 2 } } : { is: "none" };
}

/** The number of messages that a choice reveals. */
function sense({ trials }: TriedChoice): number {
  return trials.reduce((sum, trial) => sum + trial.messages, 0);
}

/** Where the keys and values come from that were given for a connection; each empty if there were none. */
interface Given {
  /** Keys, which were tried. */
  readonly keys: readonly string[];
  /** Public values of the server, and the client's private value: it takes both, or one with its counterpart. */
  readonly publicValues: readonly string[];
  readonly clientValue: readonly string[];
}

/** Why no choice makes sense, phrased to follow "is". */
export function whyNoKeyFits({ protocol }: ServerMessages, { keys, publicValues, clientValue }: Given): string {
  const server = `the ${protocol.slice(protocol.indexOf(".") + 1)} server`;
  if (keys.length > 0) return `encrypted, and the key of ${server} that was given does not fit (${filesOf(keys)})`;
  if (publicValues.length > 0) {
    return `encrypted, and no private value of ${server} was given, only ${filesOf(publicValues)}; give its configuration or a key log with --keys`;
  }
  return clientValue.length === 0
    ? `encrypted, and no key of ${server} was given; give its configuration or a key log with --keys`
    : `encrypted, and no public values of ${server} were given, only ${filesOf(clientValue)}; give the client's server.ini with --keys, too`;
}

/** Sources without the lines of key logs, which has one for each connection: what they have in common is said once. */
function filesOf(sources: readonly string[]): string {
  return [...new Set(sources.map((source) => source.replace(/ line \d+(?=$|, )/g, "")))].join(", ");
}
