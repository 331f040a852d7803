import { directionOf, type Message } from "../dissect/message.js";
import type { Origin } from "../network/conversation.js";
import { summaryText } from "../output/text/summary-text.js";
import { destinationOf, sourceOf } from "../output/writers/endpoints.js";
import type { Row } from "./table.js";

/** The time of a packet, in microseconds since 1970. */
export function instantOf({ seconds, nanoseconds }: Origin): bigint {
  return BigInt(seconds) * 1_000_000n + BigInt(Math.floor(nanoseconds / 1000));
}

/** Returns the row of a message in `messages`, without what depends on other tables. */
export function messageRow(capture: string, message: Message): Row {
  const { number, origin, conversation, protocol, name, status, nodes, offset, length } = message;
  const [source, destination] = [sourceOf(message), destinationOf(message)];
  const row: Row = {
    capture,
    number: BigInt(number),
    time: instantOf(origin),
    epoch: BigInt(origin.seconds) * 1_000_000_000n + BigInt(origin.nanoseconds),
    stream: BigInt(conversation.stream),
    transport: conversation.transport,
    source_address: source.address,
    source_port: source.port,
    destination_address: destination.address,
    destination_port: destination.port,
    direction: directionOf(message),
    protocol,
    message: name,
    status,
    summary: summaryText(message),
    offset: BigInt(offset),
    length: BigInt(length),
    frames: message.frames.map(BigInt),
    notes: message.notes.map(({ severity, path, text }) => ({ severity, path, text })),
  };
  const { context, names } = nodes ?? {};
  if (context === undefined) return row;
  const { error, asks, answers, player, place } = context;
  row["error"] = error;
  row["asks"] = asks === true || typeof asks === "string";
  if (answers !== undefined) {
    row["answers_number"] = BigInt(answers.number);
    row["answers_message"] = answers.name;
    row["answers_first"] = answers.isFirst;
    row["milliseconds"] = answers.milliseconds;
  }
  if (player !== undefined) {
    row["player_id"] = player.id;
    row["player_name"] = names?.get(player.kind, player.id);
  }
  if (place !== undefined) {
    row["age_id"] = place.id;
    row["age_name"] = names?.get(place.kind, place.id);
  }
  return row;
}
