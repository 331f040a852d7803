import type { EncryptionState } from "../../dissector/dissector.js";
import { endpointText } from "../../network/address.js";
import type { Conversation, Direction, EndReason } from "../../network/conversation.js";
import { safeJson } from "../writers/sanitise.js";
import { STREAM_SCHEMA } from "../writers/schema-names.js";
import { absoluteTime, timeBetween } from "../writers/time.js";
import type { Column } from "./fitted-columns.js";
import { plainTable } from "./plain-table.js";

/** What one end of a conversation sent, as captured: before decryption. */
export interface Sent {
  /** Number of bytes in order, or in all datagrams; gaps count neither here nor in the hash. */
  readonly bytes: number;
  /** Empty if it was not asked for. */
  readonly sha256: string;
  /** Number of missing bytes. */
  readonly missing: number;
  readonly gapCount: number;
  /** The first gaps; their offsets in the stream as it was sent include earlier gaps. */
  readonly gaps: readonly { readonly offset: number; readonly length: number }[];
}

/** A conversation as the `streams` command shows it. */
export interface StreamFacts {
  readonly conversation: Conversation;
  /** True if the time from its first packet to its last one is how long it took: the clock was not set back meanwhile. */
  readonly isTimed: boolean;
  /** Why it ended. */
  readonly closed: EndReason;
  /** The direction that finished first, or that reset the connection. */
  readonly closedBy: Direction | undefined;
  /** Undefined if it is not recognised. */
  readonly protocol: string | undefined;
  readonly encryption: EncryptionState["encryption"];
  readonly key: EncryptionState["key"];
  readonly keySource: string;
  readonly c2s: Sent;
  readonly s2c: Sent;
}

/** One line of `streams --json`. */
export function streamLine(facts: StreamFacts): string {
  const { conversation, closed, closedBy, protocol, encryption, key, keySource } = facts;
  const { stream, transport, client, server, packets, unaccepted, first, last } = conversation;
  const direction = (name: "c2s" | "s2c") => {
    const { bytes, gaps, sha256 } = facts[name];
    const refused = unaccepted[name];
    return { packets: packets[name], bytes, gaps, ...(refused > 0 && { unaccepted: refused }), sha256 };
  };
  const object = {
    schema: STREAM_SCHEMA,
    stream,
    transport,
    client: endpointText(client),
    server: endpointText(server),
    protocol: protocol ?? null,
    encryption,
    key,
    keySource,
    start: absoluteTime(first),
    end: absoluteTime(last),
    c2s: direction("c2s"),
    s2c: direction("s2c"),
    closed,
    closedBy: endOf(closedBy) ?? null,
  };
  return `${safeJson(object)}\n`;
}

function endOf(direction: Direction | undefined): "client" | "server" | undefined {
  if (direction === undefined) return undefined;
  return direction === "c2s" ? "client" : "server";
}

/** Which side ended a conversation, and how, unless both sides closed it. */
function endText({ closed, closedBy }: StreamFacts): string {
  const end = endOf(closedBy);
  if (end === undefined) return closed === "capture-end" ? "open" : closed;
  if (closed === "fin") return end;
  return closed === "rst" ? `${end}, reset` : `${end}, half`;
}

/** Payload that is in no stream. */
const UNACCEPTED = "unaccepted";

const COLUMNS: readonly Column<StreamFacts>[] = [
  { title: "stream", isNumber: true, cell: ({ conversation }) => String(conversation.stream) },
  { title: "protocol", cell: ({ protocol, conversation }) => protocol ?? `unknown ${conversation.transport}` },
  { title: "client", cell: ({ conversation }) => endpointText(conversation.client) },
  { title: "server", cell: ({ conversation }) => endpointText(conversation.server) },
  { title: "through", cell: ({ conversation }) => conversation.path },
  { title: "start", cell: ({ conversation }) => absoluteTime(conversation.first) },
  {
    title: "seconds",
    isNumber: true,
    cell: ({ conversation: { first, last }, isTimed }) => (isTimed ? timeBetween(first, last) : ""),
  },
  { title: "packets c2s", isNumber: true, cell: ({ conversation }) => String(conversation.packets.c2s) },
  {
    title: "s2c",
    isNumber: true,
    belongsToPrevious: true,
    cell: ({ conversation }) => String(conversation.packets.s2c),
  },
  { title: "bytes c2s", isNumber: true, cell: ({ c2s }) => String(c2s.bytes) },
  { title: "s2c", isNumber: true, belongsToPrevious: true, cell: ({ s2c }) => String(s2c.bytes) },
  { title: "missing", isNumber: true, cell: ({ c2s, s2c }) => String(c2s.missing + s2c.missing) },
  {
    title: UNACCEPTED,
    isNumber: true,
    cell: ({ conversation: { unaccepted } }) => String(unaccepted.c2s + unaccepted.s2c),
  },
  { title: "ended by", cell: endText },
  { title: "encryption", cell: ({ encryption }) => encryption },
  {
    title: "key",
    belongsToPrevious: true,
    cell: ({ key, keySource }) => (keySource === "" ? key : `${key}: ${keySource}`),
  },
];

/**
 * Conversations as an aligned table, with columns for VLANs and tunnels, and for data that was not accepted, only if
 * there are any.
 *
 * @param heading colours the titles
 * @param width of the terminal in columns
 */
export function streamTable(streams: readonly StreamFacts[], heading: (text: string) => string, width: number): string {
  const isPlain = streams.every(({ conversation }) => conversation.path === "");
  const areAllAccepted = streams.every(({ conversation: { unaccepted } }) => unaccepted.c2s + unaccepted.s2c === 0);
  const columns = COLUMNS.filter(
    ({ title }) => !(isPlain && title === "through") && !(areAllAccepted && title === UNACCEPTED),
  );
  return plainTable(streams, columns, heading, width);
}
