/** The library as programs in Node.js use it: with paths, and the keys beside a capture. */

import { createHash } from "node:crypto";
import type { MessageListener } from "../../dissect/message.js";
import * as checking from "../../library/check.js";
import * as decoding from "../../library/decode.js";
import { decrypt as decrypted } from "../../library/decrypt.js";
import * as dissecting from "../../library/dissect.js";
import type { EndOfRun } from "../../library/end-of-run.js";
import * as keeping from "../../library/keys.js";
import { type Run, prepared as running } from "../../library/run.js";
import * as scrubbing from "../../library/scrub.js";
import * as counting from "../../library/statistics.js";
import * as streaming from "../../library/streams.js";
import type { DissectedMessage } from "../../pipeline/dissected-message.js";
import type { Pause } from "../../pipeline/read-captures.js";
import { givenFiles } from "./file-on-disk.js";
import { type DissectOptions, type InNode, type Inputs, prepared } from "./prepared.js";

/**
 * Dissects captures and passes each message to a listener. This is the fast way: messages are not copied, and are valid
 * only during the call.
 *
 * @param listener undefined if only conversations are of interest: then their messages are not dissected
 * @param pause called between blocks of input, and waited for; false ends the run early
 * @throws DecodeAsError if a rule of `decodeAs` cannot be understood, FilterError if `filter` cannot, TypeError if one
 * of `dissectors` is not a dissector, the reason of `signal`, and whatever the listener, the `network` observer or a
 * function given as `filter` throws, which ends the run
 */
export async function dissectCaptures(
  inputs: Inputs,
  options: DissectOptions,
  listener: MessageListener | undefined,
  pause?: Pause,
): Promise<EndOfRun> {
  const { captures, files } = await prepared(inputs, options);
  return dissecting.dissectCaptures(captures, { ...options, ...files }, listener, pause);
}

/**
 * Dissects captures and yields their messages, each a copy that stays valid. Reading waits until messages have been
 * taken, and ends when no more are wanted.
 *
 * @throws CaptureError if a capture cannot be read, or only in part (then after its messages), unless there is an
 * `onProblem`; also whatever `dissectCaptures` throws
 */
export function dissect(inputs: Inputs, options: DissectOptions = {}): Run<DissectedMessage> {
  return running(async () => {
    const { captures, files } = await prepared(inputs, options);
    return dissecting.dissect(captures, { ...options, ...files });
  });
}

/** The conversations in captures, in the order of their first packets, whether they are recognised or not. */
export async function streams(
  inputs: Inputs,
  options: InNode<streaming.StreamOptions> = {},
): Promise<streaming.FoundStreams> {
  const { captures, files } = await prepared(inputs, options);
  return streaming.streams(captures, { hash: () => createHash("sha256"), ...options, ...files });
}

/**
 * Counts what is in captures: protocols, messages, players and ages, reply times, errors and trouble. `statsJson` makes
 * the object of `stats --json` of it.
 */
export async function statistics(
  inputs: Inputs,
  options: InNode<counting.StatisticsOptions> = {},
): Promise<counting.CountedMessages> {
  const { captures, files } = await prepared(inputs, options);
  return counting.statistics(captures, { ...options, ...files });
}

/**
 * Decodes bytes as a value of a declared type: a message (`Cli2Auth_AgeRequest`), a class (`plNotifyMsg`), a family
 * (`plNetMessage`) or a common type (`plUoid`).
 *
 * @throws UsageError if no dissector declares such a type
 */
export async function decode(
  typeName: string,
  bytes: Uint8Array,
  options: InNode<decoding.DecodeOptions> = {},
): Promise<decoding.DecodedValue> {
  const { keys = [], definitions = [] } = options;
  return decoding.decode(typeName, bytes, {
    ...options,
    keys: givenFiles(keys),
    definitions: givenFiles(definitions),
  });
}

/** Recovers the session keys of captures, which open them without the keys of the shard. */
export async function sessionKeys(inputs: Inputs, options: InNode<keeping.KeyOptions> = {}): Promise<keeping.KeyLog> {
  const { captures, files } = await prepared(inputs, options);
  return keeping.sessionKeys(captures, { ...options, ...files });
}

/**
 * Yields a capture as pcapng with its session keys in it. It is read twice.
 *
 * @throws UsageError if there are several captures, or one that can be read only once; CaptureError as `dissect` does
 */
export function embedKeys(inputs: Inputs, options: InNode<keeping.KeyOptions> = {}): Run<Uint8Array> {
  return running(async () => {
    const { captures, files } = await prepared(inputs, options);
    return keeping.embedKeys(captures, { ...options, ...files });
  });
}

/**
 * Yields the plaintext of the recognised conversations in captures, as a capture (pcapng). Data that cannot be decrypted
 * is in it as it was captured; the end of the run says what is left out.
 *
 * @throws CaptureError as `dissect` does
 */
export function decrypt(inputs: Inputs, options: InNode<keeping.KeyOptions> = {}): Run<Uint8Array> {
  return running(async () => {
    const { captures, files } = await prepared(inputs, options);
    return decrypted(captures, { ...options, ...files });
  });
}

/**
 * Yields the plaintext of captures as a capture (pcapng) that can be shared: names, secrets, addresses, chat and voice are
 * replaced. The captures are read twice.
 *
 * @throws UsageError if one of them can be read only once, or a kind to keep is unknown; CaptureError as `dissect` does
 */
export function scrub(inputs: Inputs, options: InNode<scrubbing.ScrubOptions> = {}): Run<Uint8Array> {
  return running(async () => {
    const { captures, files } = await prepared(inputs, options);
    return scrubbing.scrub(captures, { ...options, ...files });
  });
}

/** What is expected of a session: the lines of `--json` or `check --update`, or another recording. */
export type Expectation = { readonly lines: Iterable<string> } | { readonly captures: Inputs };

/**
 * Compares a recorded session with what is expected of it, by its meaning: what differs between any two recordings of the
 * same session, such as times and ports, is not compared.
 *
 * @throws UsageError or FilterError if the options make no sense, LineError if a line of the expectation is none
 */
export async function check(
  inputs: Inputs,
  expectation: Expectation,
  options: InNode<checking.CheckOptions> = {},
): Promise<checking.CheckResult> {
  const { captures, files } = await prepared(inputs, options);
  if ("lines" in expectation) return checking.check(captures, expectation, { ...options, ...files });
  const other = await prepared(expectation.captures, options);
  return checking.check(captures, { captures: other.captures, keys: other.files.keys }, { ...options, ...files });
}
