import { endpointText } from "../../network/address.js";
import type { StreamFacts } from "../../stats/index.js";
import { absoluteTime, timeBetween } from "../writers/time.js";
import type { Column } from "./fitted-columns.js";
import { plainTable } from "./plain-table.js";
import { endOf } from "./stream-line.js";

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
