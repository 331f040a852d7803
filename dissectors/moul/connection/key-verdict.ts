import type { Step } from "../../../src/session/dissector.js";
import type { ServerMessages } from "../messages/messageTable.js";
import { isConvincing, isNonsense, type Trial } from "./key-trial.js";

/** A way to read the messages of a connection. */
export interface Choice {
  /** The session key; undefined for clear text. */
  readonly key: Uint8Array | undefined;
  /** Where the key comes from; empty for clear text. */
  readonly source: string;
}

/** A choice, with what each direction that can be tried looks like with it. */
export interface TriedChoice extends Choice {
  readonly trials: readonly Trial[];
}

/** What the trials say of the choices. */
type Verdict =
  | { readonly is: "chosen"; readonly choice: Choice }
  /** There is not enough yet to tell. */
  | { readonly is: "open"; readonly step: Step }
  | { readonly is: "none" };

/**
 * Which choice makes sense of what has come of both directions.
 *
 * @param tried at least one
 * @param isAll true if it has to be told from what is there: no more comes, or it is as much as is tried
 */
export function verdictOn(tried: readonly TriedChoice[], isAll: boolean): Verdict {
  const best = tried.reduce((most, other) => (sense(other) > sense(most) ? other : most));
  if (best.trials.some(isConvincing) || sense(best) > 1) return { is: "chosen", choice: best };

  // Both directions have to be seen: one of them may begin with a message that is not known.
  const hopeless = tried.every(({ trials }) => trials.length > 1 && trials.every(isNonsense));
  if (!isAll && !hopeless) return { is: "open", step: { step: "wait" } };
  const possible = tried.filter(({ trials }) => !trials.some(isNonsense));
  const likely = possible.find(({ key, trials }) => key !== undefined && trials.some(({ begun }) => begun));
  if (likely !== undefined) return { is: "chosen", choice: likely };
  const isUntold = possible.some(({ trials }) => !trials.some(({ begun }) => begun));
  return isUntold ? { is: "open", step: { step: "more", bytes: 2 } } : { is: "none" };
}

/** How many messages a way to read them shows. */
function sense({ trials }: TriedChoice): number {
  return trials.reduce((sum, trial) => sum + trial.messages, 0);
}

/**
 * Why no choice makes sense, to be told behind "is".
 *
 * @param keySource where the keys come from that were tried; empty if there was none
 * @param publicSource where public values of the server come from; empty if there is none
 */
export function whyNoKeyFits({ protocol }: ServerMessages, keySource: string, publicSource: string): string {
  const server = `the ${protocol.slice(protocol.indexOf(".") + 1)} server`;
  if (keySource !== "") return `encrypted, and the key of ${server} that was given does not fit (${keySource})`;
  return publicSource === ""
    ? `encrypted, and no key of ${server} was given; give its configuration or a key log with --keys`
    : `encrypted, and no private value of ${server} was given, only ${publicSource}; give its configuration or a key log with --keys`;
}
