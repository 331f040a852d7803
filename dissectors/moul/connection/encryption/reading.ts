import {
  type ConversationHandle,
  type Direction,
  directions,
  type EncryptionState,
  inDirection,
  Rc4,
  type Step,
  unencrypted,
  unknownEncryption,
} from "moul-dissect/dissector";
import type { MoulKeys } from "../../keys/moul-keys.js";
import type { ServerMessages } from "../../messages/messageTable.js";
import { type KeyExchange, WAIT } from "./key-exchange.js";
import { findMessages, isConvincing, TRIAL_BYTES, type Trial, tryKey } from "./key-trial.js";
import { type Choice, verdictOn, whyNoKeyFits } from "./key-verdict.js";
import { LateCipher } from "./late-cipher.js";

const CLEAR_TEXT: Choice = { key: undefined, source: "" };

/** Most missing bytes before those on which a key is tried: each costs time, however short the capture is. */
const MOST_MISSING = 64 * 1024;

const UNTRIED = "encrypted, and the first messages of both sides are missing, on which keys are tried";

/** How messages are read. */
type Method =
  | { readonly is: "clear" }
  /** The session key is secret. */
  | { readonly is: "decrypted"; readonly key: Uint8Array }
  | { readonly is: "unreadable"; readonly reason: string };

/**
 * Finds out how the messages of a connection are read: with which key, or in the clear. What is possible after the key
 * exchange is tried on the first bytes of both directions.
 */
export class Reading {
  encryptionState = unknownEncryption;
  /** Undefined until it is settled. */
  #method: Method | undefined;
  /** How many bytes of a direction there have to be before keys are tried on them again, after a gap. */
  readonly #nextTrial: Record<Direction, number> = { c2s: 0, s2c: 0 };
  /** What there is to decide between, once the key exchange is known. */
  #choices: readonly Choice[] | undefined;

  constructor(
    readonly handle: ConversationHandle,
    readonly keys: MoulKeys,
  ) {}

  get method(): Method | undefined {
    return this.#method;
  }

  /** Finds out; returns the step that waits for more if it is too early to tell. */
  settle(exchange: KeyExchange): Step | undefined {
    const { server, y, seed } = exchange;
    if (server === undefined) return WAIT;
    if (y?.length === 0 || seed?.length === 0) {
      this.clear();
      return undefined;
    }
    if (!exchange.isConcluded()) return WAIT;

    // All are tried, on the available bytes of both directions, before one is believed.
    this.#choices ??= this.#choicesFor(server, exchange);
    const choices = this.#choices;
    const isAll = this.#isAll();
    const isDue = this.#dueAfterGap(isAll);
    const tried = choices.map((choice) => ({ ...choice, trials: this.#try(server, exchange, choice.key, isDue) }));
    const verdict = verdictOn(tried, isAll);
    if (verdict.is === "open") return verdict.step;
    if (verdict.is === "chosen") this.#believe(verdict.choice, exchange.unseenBytes);
    else {
      const isTried = tried.some(({ key, trials }) => key !== undefined && trials.length > 0);
      this.#giveUp(server, choices, exchange, isTried);
    }
    return undefined;
  }

  #choicesFor({ protocol }: ServerMessages, { y, seed }: KeyExchange): readonly Choice[] {
    // A key log needs no seed.
    const keys = y === undefined ? [] : this.keys.candidates(protocol, y, seed ?? new Uint8Array(0));
    return [...keys, CLEAR_TEXT];
  }

  /** Where keys are tried after a gap: each time that there are twice as many bytes. */
  #dueAfterGap(isAll: boolean): (direction: Direction) => boolean {
    const due = directions.filter((direction) => {
      const { length } = this.handle.pending(direction);
      if (!isAll && length < inDirection(this.#nextTrial, direction)) return false;
      this.#nextTrial[direction] = 2 * length;
      return true;
    });
    return (direction) => due.includes(direction);
  }

  /** Tries a key, or clear text, on each direction that can be tried. */
  #try(
    server: ServerMessages,
    exchange: KeyExchange,
    key: Uint8Array | undefined,
    isDue: (direction: Direction) => boolean,
  ): readonly Trial[] {
    return directions
      .filter((direction) => exchange.isOver(direction))
      .flatMap((direction) => {
        const pending = this.handle.pending(direction);
        if (key === undefined || !exchange.hasGap(direction)) return [tryKey(server, direction, pending, { key })];
        if (!canTry(exchange, direction) || !isDue(direction)) return [];
        const missing = exchange.missingBytes(direction);
        const trial = tryKey(server, direction, pending, { key, missing });
        if (isConvincing(trial)) return [trial];
        // A message need not begin after a gap: that none does says nothing.
        return findMessages(server, direction, pending, { key, missing }) ?? [];
      });
  }

  /** Whether the available bytes have to do: no more will come, or no more would be tried. */
  #isAll(): boolean {
    const { handle } = this;
    return (
      directions.every((direction) => handle.ended(direction)) ||
      directions.some((direction) => handle.pending(direction).length >= TRIAL_BYTES)
    );
  }

  /** @param clear how many bytes of the server's half of the key exchange come before what is encrypted */
  #believe({ key, source }: Choice, clear: number): void {
    if (key === undefined) {
      this.clear();
      return;
    }
    this.#decide({ is: "decrypted", key }, { encryption: "rc4", key: "recovered", keySource: source });
    // Both directions share the key; each has a cipher state of its own.
    this.handle.decrypt("c2s", new Rc4(key));
    const fromServer = new Rc4(key);
    this.handle.decrypt("s2c", clear === 0 ? fromServer : new LateCipher(fromServer, clear));
  }

  /** Settles that the messages are in the clear. */
  clear(): void {
    this.#decide({ is: "clear" }, unencrypted);
  }

  /**
   * Settles that the messages are encrypted and no choice fits.
   *
   * @param isTried whether there were bytes to try a key on
   */
  #giveUp(server: ServerMessages, choices: readonly Choice[], exchange: KeyExchange, isTried: boolean): void {
    const { isWhole, y } = exchange;
    const sources = choices.map(({ source }) => source).filter((source) => source !== "");
    const isUntried = sources.length > 0 && !isTried;
    const keySource = isUntried ? "" : sources.join(", ");
    const given = {
      keys: isUntried ? [] : sources,
      publicValues: this.keys.publicSources(server.protocol),
      clientValue: y === undefined ? [] : this.keys.clientSources(y),
    };
    const known = isUntried ? UNTRIED : whyNoKeyFits(server, given);
    const reason = isWhole ? known : "encrypted, and the key exchange is incomplete";
    const key = keySource === "" ? "missing" : "wrong";
    const isBeyondKeys = isUntried || y === undefined || !directions.some((direction) => canTry(exchange, direction));
    this.#decide({ is: "unreadable", reason }, { encryption: "rc4", key, keySource, isBeyondKeys });
  }

  #decide(method: Method, encryptionState: EncryptionState): void {
    this.#method = method;
    this.encryptionState = encryptionState;
    // They are no longer needed.
    this.#choices = undefined;
  }
}

/** Whether keys can be tried on a direction, although bytes may be missing from its first message on. */
function canTry(exchange: KeyExchange, direction: Direction): boolean {
  if (!exchange.hasGap(direction)) return true;
  const missing = exchange.missingBytes(direction);
  return missing !== undefined && missing <= MOST_MISSING;
}
