import type { Step, Window } from "moul-dissect/dissector";
import { decodeText, text } from "moul-dissect/schema";
import { PingCodeOldReply, PingCodeOldRequest, PingCodeReply, PingCodeRequest } from "./classic/ping.js";
import { type Head, headAt, MessageTable, messageStep, undeclaredVersion } from "./message-table.js";
import { HEADER_BYTES, message } from "./messages.js";
import { OTHER_VERSION, SERVER_VERSION } from "./modern/hello.js";
import { PingCodeReply as ModernPingCodeReply } from "./modern/ping.js";

/** Name of the ping protocol: the side that asks does not know which version will answer. Source: facts, section 8. */
export const PING_PROTOCOL = "bzflag.ping";

const VERSION_BYTES = 8;
/** Source: facts, section 3. */
const VERSION = /^BZFS\d{3}\w$/;

/** All that is known about the reply of an undeclared version. */
const undeclaredReply = message("PingCodeReply", 0x0303, {
  version: text(VERSION_BYTES).inSummary(),
});

/** What servers are asked, and what they answer. */
export const pings = new MessageTable([PingCodeRequest, PingCodeOldRequest, PingCodeReply, PingCodeOldReply]);

/** True for what servers answer. */
export function isPingReply(head: Head): boolean {
  const type = pings.declared(head);
  return type === PingCodeReply || type === PingCodeOldReply;
}

/** True if a datagram is the reply to a ping, of any version: 107c counts the header in the length. */
export function isWholePingReply(window: Window): boolean {
  const { bytes, start, end } = window;
  const whole = PingCodeReply.struct.minimumWidth;
  const head = headAt(window);
  const isLong = head?.length === whole || head?.length === HEADER_BYTES + whole;
  const at = start + HEADER_BYTES;
  return isLong && end - start === whole && VERSION.test(decodeText(bytes.subarray(at, at + VERSION_BYTES)));
}

/** The ping in a datagram; undefined if the datagram is not a ping. */
export function pingStep(window: Window): Step | undefined {
  const head = headAt(window);
  const type = head && pings.declared(head);
  if (head === undefined || type === undefined) return undefined;
  if (type !== PingCodeReply) return messageStep(pings, window);
  const at = window.start + HEADER_BYTES;
  const version = decodeText(window.bytes.subarray(at, Math.min(at + VERSION_BYTES, window.end)));
  // 107c counts the header in the length.
  const whole = PingCodeReply.struct.minimumWidth;
  const length = head.length === HEADER_BYTES + whole ? whole : head.length;
  if (!VERSION.test(version) && version.length === VERSION_BYTES) return undefined;
  if (version === SERVER_VERSION) return { step: "message", type: ModernPingCodeReply, length };
  if (!OTHER_VERSION.test(version)) return { step: "message", type, length };
  return { step: "unknown", name: type.struct.name, head: undeclaredReply, reason: undeclaredVersion(version), length };
}
