import type { Column } from "../schema/columns/column-type.js";
import { column, listColumn, type Table } from "./table.js";

const CAPTURE = column("capture", "text", "The digest of the capture: see `captures`.");
const STREAM = column("stream", "int64", "The conversation: see `conversations`.");
const TEXT = { kind: "text" } as const;

/** The columns for what one end of a conversation sent. */
function sent(direction: "c2s" | "s2c"): Column[] {
  return [
    column(`${direction}_packets`, "int64"),
    column(`${direction}_bytes`, "int64", "Payload as captured, in order, without repeats."),
    column(`${direction}_missing`, "int64", "Payload bytes that the capture lacks."),
    column(`${direction}_gaps`, "int64"),
  ];
}

/** One row for each message, and for each range that is not one. */
export const MESSAGES: Table = {
  name: "messages",
  doc: "One row for each message, and for each range that is not one (`gap`, `skipped`, `encrypted`).",
  columns: [
    CAPTURE,
    column("number", "int64", "Position in the capture, from 1."),
    column("time", "instant", "When it was complete (UTC)."),
    column("epoch", "int64", "The same, exactly: nanoseconds since 1970."),
    STREAM,
    column("transport", "text"),
    column("source_address", "text"),
    column("source_port", "int32"),
    column("destination_address", "text"),
    column("destination_port", "int32"),
    column("direction", "text", "c2s, s2c or none."),
    column("protocol", "text"),
    column("message", "text", "Its name: its fields are in the table of this name."),
    column("status", "text", "ok, malformed, truncated, unknown or encrypted."),
    column("summary", "text"),
    column("error", "text", "The error that it reports."),
    column("asks", "boolean", "True for a request: it has to be answered."),
    column("answers_number", "int64", "The message that it answers."),
    column("answers_message", "text"),
    column("answers_first", "boolean", "False for further parts of an answer."),
    column("milliseconds", "double", "From the message that it answers."),
    column("player_id", "text"),
    column("player_name", "text"),
    column("age_id", "text"),
    column("age_name", "text"),
    column("offset", "int64", "Of its first byte in the stream of its direction."),
    column("length", "int64", "In bytes."),
    listColumn("frames", { kind: "int64" }, "The frames that brought it."),
    listColumn("classes", TEXT, "The classes in it, each of which has a row in the table of its name."),
    listColumn("notes", { kind: "struct", columns: ["severity", "path", "text"].map((name) => column(name, "text")) }),
    column("fields_json", "json", "All fields, where the other tables do not have all of them; else null."),
  ],
};

/** One row for each leaf of each message that does not follow from others. */
export const FIELDS: Table = {
  name: "fields",
  doc: "One row for each value in a message that has bytes of its own. Written only with `--fields`.",
  columns: [
    CAPTURE,
    column("number", "int64", "The message: see `messages`."),
    column("message", "text"),
    column("path", "text"),
    column("value", "text", "Enums and flags by name, as in the tree; bytes in hexadecimal."),
    column("numeric", "double", "The number on the wire; null for anything else."),
    column("type", "text"),
    column("source", "int32", "Where its bytes are: 0 is the message, others were inflated from it."),
    column("start_offset", "int64"),
    column("end_offset", "int64"),
  ],
};

/** One row for each conversation. */
export const CONVERSATIONS: Table = {
  name: "conversations",
  doc: "One row for each TCP connection or pair of UDP endpoints, recognised or not.",
  columns: [
    CAPTURE,
    STREAM,
    column("transport", "text"),
    column("client_address", "text"),
    column("client_port", "int32"),
    column("server_address", "text"),
    column("server_port", "int32"),
    column("protocol", "text", "Null if it is not recognised."),
    column("encryption", "text"),
    column("key", "text", "recovered, missing, wrong or not-needed."),
    column("start", "instant"),
    column("end", "instant"),
    column("closed", "text", "Why it ended."),
    column("closed_by", "text", "The direction that ended it."),
    ...sent("c2s"),
    ...sent("s2c"),
  ],
};

/** One row for each loss. */
export const GAPS: Table = {
  name: "gaps",
  doc: "One row for each range of bytes that is not in a message: lost, skipped or encrypted.",
  columns: [
    CAPTURE,
    column("number", "int64", "Its number in `messages`."),
    column("time", "instant"),
    STREAM,
    column("direction", "text"),
    column("kind", "text", "gap, skipped or encrypted."),
    column("offset", "int64"),
    column("length", "int64"),
  ],
};

/** Who was where. */
export const PLAYERS: Table = {
  name: "players",
  doc: "One row for each stay: a player in an age, in one conversation.",
  columns: [
    CAPTURE,
    STREAM,
    column("player_id", "text"),
    column("player_name", "text"),
    column("age_id", "text"),
    column("age_name", "text"),
    column("first", "instant"),
    column("last", "instant"),
    column("c2s_messages", "int64"),
    column("s2c_messages", "int64"),
    column("c2s_bytes", "int64"),
    column("s2c_bytes", "int64"),
  ],
};

/** Where it was said, and by whom. */
const SAID: readonly Column[] = [
  CAPTURE,
  column("number", "int64", "The message: see `messages`."),
  column("time", "instant"),
  STREAM,
  column("player_id", "text", "Who says so."),
  column("player_name", "text"),
  column("is_relayed", "boolean", "True for what a server passes on: it may be there a second time, from its sender."),
];

/** One row for each variable, whenever its value is said. */
export const SDL: Table = {
  name: "sdl",
  doc: "One row for each variable of an object's state, whenever somebody says its value.",
  columns: [
    ...SAID,
    column("object", "text"),
    column("owner_id", "text", "Whose it is, where each player has one of that name, such as an avatar."),
    column("owner_name", "text"),
    column("age_id", "text", "The instance of the age in which it is, where the traffic says so."),
    column("age_name", "text"),
    column("descriptor", "text", "Name of the SDL descriptor."),
    column("version", "int32"),
    column("is_persistent", "boolean", "Whether the server keeps it; null if the message does not say."),
    column("variable", "text", "Null if the descriptor is not known: see --sdl."),
    column("value", "json"),
    column("numeric", "double", "The same as a number; null for anything else."),
  ],
};

/** One row for each message with speech. */
export const VOICE: Table = {
  name: "voice",
  doc: "One row for each message with speech.",
  columns: [
    ...SAID,
    column("codec", "text", "opus, speex or pcm."),
    column("frames", "int32"),
    column("bytes", "int64", "Of encoded speech."),
    column("utterance", "text", "The same for a message and its relayed copies."),
  ],
};

/** One row for each capture. Its file is written last: a capture without one was not exported to the end. */
export const CAPTURES: Table = {
  name: "captures",
  doc: "One row for each capture that was exported, also where it could not be read.",
  columns: [
    CAPTURE,
    column("name", "text", "The name of its file."),
    column("bytes", "int64"),
    column("outcome", "text", "whole, partial, unreadable or failed."),
    column("first", "instant", "Its first message."),
    column("last", "instant"),
    column("messages", "int64"),
    column("program", "text", "What wrote the rows, and its version."),
    column("schema", "text"),
    column("options", "text", "The digest of what the rows depend on besides."),
    listColumn("problems", TEXT),
    listColumn("remarks", TEXT),
  ],
};

/** The tables that every dataset has. */
export const GENERAL_TABLES: readonly Table[] = [MESSAGES, FIELDS, CONVERSATIONS, GAPS, PLAYERS, SDL, VOICE, CAPTURES];
