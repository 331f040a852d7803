import { counted } from "../../common/counted.js";
import { isAssembled, type Message } from "../../dissect/message.js";
import { messageTitle } from "../../dissect/message-title.js";
import type { Ending } from "../../export/conversation-order.js";
import { ExportedPdus } from "../../export/exported-pdus.js";
import { PacketNames } from "../../export/packet-names.js";
import { PacketOrder } from "../../export/packet-order.js";
import { PlaintextCapture } from "../../export/plaintext-capture.js";
import type { Limits } from "../../limits.js";
import type { Conversation } from "../../network/conversation.js";
import { summaryText } from "../../output/text/summary-text.js";
import { delayed } from "../../remarks/delayed.js";
import type { ConversationObserver } from "../../session/observer.js";
import { application } from "../version.js";

/** Writes plaintext as a capture. */
export interface PlaintextWriting {
  readonly capture: PlaintextCapture | ExportedPdus;
  /** What becomes of encrypted data, to follow a semicolon. */
  readonly encrypted: string;
  /** Returns what watches a conversation. @param ending who else is told of its end */
  opened(conversation: Conversation, ending: Ending): ConversationObserver;
  message(message: Message): void;
  remarks(): readonly string[];
}

/** Writes packets like those that were captured: the same conversations, with the plaintext in them. */
export function packetWriting(
  write: (bytes: Uint8Array) => void,
  limits: Pick<Limits, "orderBytes" | "orderSeconds">,
): PlaintextWriting {
  const capture = new PlaintextCapture(write, { application, comment: "Packets rebuilt around the decrypted data." });
  const names = new PacketNames();
  const order = new PacketOrder(capture, names, limits);
  return {
    capture,
    encrypted: "encrypted data is written as it was captured",
    opened: (conversation, ending) => order.opened(conversation, ending),
    message: (message) => names.see(message, messageTitle(message)),
    remarks: () => [...(order.late > 0 ? [late(order.late)] : []), ...delayed(capture.delayed - order.late)],
  };
}

function late(packets: number): string {
  const come = packets === 1 ? "comes" : "come";
  const why = "how to read them, or whether bytes before them are lost, was not settled in time";
  return `${counted(packets, "packet")} ${come} after later ones: ${why} (--limit orderSeconds=N or orderBytes=N)`;
}

/** Writes each message as a packet of its own. */
export function pduWriting(write: (bytes: Uint8Array) => void): PlaintextWriting {
  const capture = new ExportedPdus(write, { application, comment: "Messages, decrypted." });
  let left = 0;
  return {
    capture,
    encrypted: "encrypted data is left out",
    opened: (_conversation, ending) => ending,
    message(message) {
      const { conversation, direction, origin, name, status, length, nodes } = message;
      if (nodes === undefined) {
        if (status !== "encrypted" && name !== "gap") left += length;
      } else if (!isAssembled(message)) {
        const comment = messageTitle(message) ?? name;
        capture.message({ conversation, direction, origin, name, info: summaryText(message), comment }, nodes.bytes(0));
      }
    },
    remarks: () => (left === 0 ? [] : [`${counted(left, "byte")} between messages: left out`]),
  };
}
