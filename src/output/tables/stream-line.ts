import { endpointText } from "../../network/address.js";
import type { Direction } from "../../network/conversation.js";
import type { StreamFacts } from "../../stats/index.js";
import type { CaptureName } from "../writers/capture-name.js";
import { safeJson } from "../writers/sanitise.js";
import { STREAM_SCHEMA } from "../writers/schema-names.js";
import { absoluteTime } from "../writers/time.js";

/** One line of `streams --json`; with the capture, where several are recordings of their own. */
export function streamLine(facts: StreamFacts & { readonly capture?: CaptureName }): string {
  const { capture, conversation, closed, closedBy, protocol, encryption, key, keySource } = facts;
  const { stream, transport, client, server, packets, unaccepted, first, last } = conversation;
  const direction = (name: "c2s" | "s2c") => {
    const { bytes, gaps, sha256 } = facts[name];
    const refused = unaccepted[name];
    return { packets: packets[name], bytes, gaps, ...(refused > 0 && { unaccepted: refused }), sha256 };
  };
  const object = {
    schema: STREAM_SCHEMA,
    ...(capture && { capture }),
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

/** The end that a direction begins at. */
export function endOf(direction: Direction | undefined): "client" | "server" | undefined {
  if (direction === undefined) return undefined;
  return direction === "c2s" ? "client" : "server";
}
