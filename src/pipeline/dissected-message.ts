import type { Message, MessageNote, Status } from "../dissect/message.js";
import type { Direction, Endpoint, Origin } from "../network/conversation.js";
import { jsonLine, jsonTreeLine } from "../output/json/json.js";
import { destinationOf, sourceOf } from "../output/writers/endpoints.js";
import type { FieldTree } from "../schema/tree/field-tree.js";

/** A message copied out of the dissection, for programs that keep it. */
export class DissectedMessage implements Message {
  readonly number: number;
  readonly origin: Origin;
  readonly frames: readonly number[];
  readonly conversation: Message["conversation"];
  readonly direction: Direction;
  readonly protocol: string;
  readonly name: string;
  readonly status: Status;
  readonly nodes: FieldTree | undefined;
  readonly offset: number;
  readonly length: number;
  readonly notes: readonly MessageNote[];

  constructor(message: Message) {
    this.number = message.number;
    this.origin = { ...message.origin };
    this.frames = message.frames;
    this.conversation = message.conversation;
    this.direction = message.direction;
    this.protocol = message.protocol;
    this.name = message.name;
    this.status = message.status;
    this.nodes = message.nodes?.snapshot();
    this.offset = message.offset;
    this.length = message.length;
    this.notes = message.notes;
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
