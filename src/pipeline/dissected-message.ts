import { type Message, MessageRecord } from "../dissect/message.js";
import type { Endpoint } from "../network/conversation.js";
import { jsonLine, jsonTreeLine } from "../output/json/json.js";
import type { MessageJson, MessageTree } from "../output/json/message-json.js";
import { destinationOf, sourceOf } from "../output/writers/endpoints.js";
import type { Referent } from "../schema/language/message-context.js";

/** Somebody or something with an id, and its name if the traffic has shown it. */
export interface Named {
  readonly id: string;
  readonly name?: string;
}

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

  /** True for a request, which a later message may answer. */
  get asks(): boolean {
    return Boolean(this.nodes?.context?.asks);
  }

  /**
   * The request that the message answers: its number and its name, and how long the answer took, unless the capture has
   * the answer first.
   */
  get answers(): { readonly number: number; readonly message: string; readonly milliseconds?: number } | undefined {
    const { number, name, milliseconds } = this.nodes?.context?.answers ?? {};
    if (number === undefined || name === undefined) return undefined;
    return { number, message: name, ...(milliseconds !== undefined && { milliseconds }) };
  }

  /** The name of the error that the message reports, such as `kNetErrFileNotFound`. */
  get error(): string | undefined {
    return this.nodes?.context?.error;
  }

  /** Who plays in the conversation, once that is known. */
  get player(): Named | undefined {
    return this.#named(this.nodes?.context?.player);
  }

  /** Where the player is: the age, or the level of another game, once that is known. */
  get age(): Named | undefined {
    return this.#named(this.nodes?.context?.place);
  }

  #named(referent: Referent | undefined): Named | undefined {
    if (referent === undefined) return undefined;
    const { kind, id } = referent;
    const name = this.nodes?.names?.get(kind, id);
    return { id, ...(name !== undefined && { name }) };
  }

  /** What the message says, as in JSON: `moul-dissect/messages` has its type, by the name of the message. */
  get fields(): unknown {
    return this.toJSON().fields;
  }

  /** The object that `--json` prints. */
  toJSON(): MessageJson {
    return JSON.parse(jsonLine(this));
  }

  /** The object that `--format json-tree` prints. */
  toTree(): MessageTree {
    return JSON.parse(jsonTreeLine(this));
  }
}
