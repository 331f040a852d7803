import { directionOf, type Message } from "../dissect/message.js";
import type { Origin } from "../network/conversation.js";
import { plainSummary } from "../output/text/summary-text.js";
import { destinationOf, sourceOf } from "../output/writers/endpoints.js";
import { Utf8, type Value, Words } from "./table.js";

/** The time of a packet, in microseconds since 1970. */
export function instantOf({ seconds, nanoseconds }: Origin): number {
  return seconds * 1_000_000 + Math.floor(nanoseconds / 1000);
}

const BILLION = 1_000_000_000;
const HALF = 2 ** 16;
const WORD = 2 ** 32;

/** The time of a packet, in nanoseconds since 1970. */
export function epochOf({ seconds, nanoseconds }: Origin): Words | bigint {
  if (!(seconds >= 0 && seconds < WORD)) return BigInt(seconds) * BigInt(BILLION) + BigInt(nanoseconds);
  // No part of this is more than a double holds.
  const upper = Math.floor(seconds / HALF) * BILLION;
  const lower = (upper % HALF) * HALF + (seconds % HALF) * BILLION + nanoseconds;
  return new Words((lower % WORD) | 0, Math.floor(upper / HALF) + Math.floor(lower / WORD));
}

/** What depends on other tables. */
export interface Elsewhere {
  readonly classes: readonly string[] | undefined;
  /** All fields, where the other tables do not have all of them. */
  readonly fieldsJson: string | undefined;
}

/** Returns the row of a message in `messages`: its values in the order of the columns, after `capture`. */
export function messageRow(message: Message, { classes, fieldsJson }: Elsewhere): Value[] {
  const { number, origin, conversation, protocol, name, status, nodes, offset, length, frames, notes } = message;
  const [source, destination] = [sourceOf(message), destinationOf(message)];
  const { context, names } = nodes ?? {};
  const { error, asks, answers, player, place } = context ?? {};
  return [
    number,
    instantOf(origin),
    epochOf(origin),
    conversation.stream,
    conversation.transport,
    source.address,
    source.port,
    destination.address,
    destination.port,
    directionOf(message),
    protocol,
    name,
    status,
    new Utf8(plainSummary(message)),
    error,
    context && (asks === true || typeof asks === "string"),
    answers?.number,
    answers?.name,
    answers?.isFirst,
    answers?.milliseconds,
    player?.id,
    player && names?.get(player.kind, player.id),
    place?.id,
    place && names?.get(place.kind, place.id),
    offset,
    length,
    frames,
    classes,
    notes.length === 0 ? NOTHING : notes.map(({ severity, path, text }) => ({ severity, path, text })),
    fieldsJson,
  ];
}

const NOTHING: readonly Value[] = [];
