import { Dissection } from "../../../src/dissect/dissection.js";
import type { Message } from "../../../src/dissect/message.js";
import { dissectors } from "../../../src/index.js";
import { endpointText } from "../../../src/network/address.js";
import { type Conversation, type Direction, senderOf } from "../../../src/network/conversation.js";
import { Network } from "../../../src/network/network.js";
import type { NetworkObserver } from "../../../src/session/observer.js";
import { Tracker } from "../../../src/session/tracker.js";
import type { Session } from "./sessions.js";

/** A captured frame. */
export interface Frame {
  readonly linkType: number;
  readonly data: Uint8Array;
  readonly microseconds: number;
}

/** What one end has sent in one conversation. */
interface Heard {
  readonly stream: number;
  /** Bytes, and the lengths of gaps between them; or datagrams. */
  readonly pieces: (Uint8Array | number)[];
}

/** A message that was found. */
export interface FoundMessage {
  readonly sender: string;
  readonly name: string;
  readonly status: string;
  /** "Offset+length". */
  readonly place: string;
  readonly bytes: string;
}

/** What became of a capture. Senders are written "address:port". */
export interface Outcome {
  readonly heard: ReadonlyMap<string, readonly Heard[]>;
  readonly messages: readonly FoundMessage[];
  /** Payload bytes in no stream, by sender. */
  readonly unaccepted: ReadonlyMap<string, number>;
  /** Conversations, in the order in which they ended: "number reason". */
  readonly closed: readonly string[];
  /** The packets left out, by reason. */
  readonly others: ReadonlyMap<string, number>;
}

/** Dissects frames. */
export function outcomeOf(frames: readonly Frame[], keys: Session["keys"]): Outcome {
  const heard = new Map<string, Heard[]>();
  const messages: FoundMessage[] = [];
  const conversations: Conversation[] = [];
  const closed: string[] = [];
  const senderIn = (conversation: Conversation, direction: Direction) =>
    endpointText(senderOf(conversation, direction));
  const piece = (conversation: Conversation, direction: Direction, bytes: Uint8Array | number) => {
    const sender = senderIn(conversation, direction);
    const all = heard.get(sender) ?? [];
    heard.set(sender, all);
    const known = all.find(({ stream }) => stream === conversation.stream);
    if (known === undefined) all.push({ stream: conversation.stream, pieces: [bytes] });
    else known.pieces.push(bytes);
  };
  const found = ({ conversation, direction, name, status, offset, length, nodes }: Message) => {
    const bytes = nodes === undefined ? "" : Buffer.from(nodes.bytes(0)).toString("hex");
    const place = `${offset}+${length}`;
    messages.push({ sender: senderIn(conversation, direction), name, status, place, bytes });
  };
  let failed: unknown;
  const onInternalError = ({ error }: { readonly error: unknown }) => {
    failed ??= error;
  };
  const dissection = new Dissection(found, { onInternalError });
  const observer: NetworkObserver = {
    opened: (conversation) => {
      conversations.push(conversation);
      return {
        bytes: (direction, bytes) => piece(conversation, direction, bytes.slice()),
        gap: (direction, length) => piece(conversation, direction, length),
        datagram: (direction, bytes) => piece(conversation, direction, bytes.slice()),
        closed: (reason) => void closed.push(`${conversation.stream} ${reason}`),
      };
    },
  };
  const network = new Network(new Tracker(dissectors, dissection, { keys, onInternalError, observer }));
  for (const [index, { linkType, data, microseconds }] of frames.entries()) {
    const bytes = data.slice();
    const time = { seconds: Math.floor(microseconds / 1e6), nanoseconds: (microseconds % 1e6) * 1000 };
    network.packet({ frame: index + 1, ...time, linkType, data: bytes, originalLength: bytes.length });
    bytes.fill(0xee);
  }
  network.end();
  if (failed !== undefined) throw failed;
  const unaccepted = new Map<string, number>();
  for (const conversation of conversations) {
    for (const direction of ["c2s", "s2c"] as const) {
      const sender = senderIn(conversation, direction);
      unaccepted.set(sender, (unaccepted.get(sender) ?? 0) + conversation.unaccepted[direction]);
    }
  }
  return { heard, messages, unaccepted, closed, others: network.counts.others };
}
