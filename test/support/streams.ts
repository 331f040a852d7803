import { Dissection } from "../../src/dissect/dissection.js";
import { DissectedMessage } from "../../src/dissected-message.js";
import type { Conversation, Direction } from "../../src/network/conversation.js";
import type { Dissector } from "../../src/session/dissector.js";
import { Tracker } from "../../src/session/tracker.js";

/** What one side says, in one piece. */
export interface Said {
  readonly direction: Direction;
  readonly bytes: Uint8Array;
}

/** Has a dissector dissect one TCP conversation that consists of these pieces; gives its messages. */
export function dissectConversation(dissector: Dissector, said: readonly Said[]): DissectedMessage[] {
  const messages: DissectedMessage[] = [];
  const dissection = new Dissection((message) => messages.push(new DissectedMessage(message)));
  const tracker = new Tracker([dissector], new Map(), dissection);
  const conversation: Conversation = {
    stream: 0,
    transport: "tcp",
    client: { address: "192.0.2.1", port: 50000 },
    server: { address: "192.0.2.2", port: 14617 },
    clientIsKnown: true,
    swap() {
      throw new Error("the client is known");
    },
  };
  let frame = 0;
  const origin = () => ({ frame: ++frame, seconds: frame, nanoseconds: 0 });
  tracker.opened(conversation);
  for (const { direction, bytes } of said) tracker.bytes(conversation, direction, bytes, origin());
  tracker.closed(conversation, "fin");
  return messages;
}
