import { type Message, MessageRecord } from "../dissect/message.js";
import type { Endpoint } from "../network/conversation.js";
import { jsonLine, jsonTreeLine } from "../output/json/json.js";
import { destinationOf, sourceOf } from "../output/writers/endpoints.js";

/** A message copied out of the dissection, for programs that keep it. */
export class DissectedMessage extends MessageRecord {
  constructor(message: Message) {
    const { number, origin, frames, name, status, nodes, offset, length, notes } = message;
    const copy = nodes?.snapshot();
    super({ number, origin: { ...origin }, frames }, message, { name, status, nodes: copy, offset, length, notes });
  }

  /** The end that sent the message. */
  get source(): Endpoint {
    return sourceOf(this);
  }

  /** The end that the message was sent to. */
  get destination(): Endpoint {
    return destinationOf(this);
  }

  /** The object that `--json` prints. */
  toJSON(): unknown {
    return JSON.parse(jsonLine(this));
  }

  /** The object that `--format json-tree` prints. */
  toTree(): unknown {
    return JSON.parse(jsonTreeLine(this));
  }
}
