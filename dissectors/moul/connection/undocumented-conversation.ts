import { type ConversationDissector, type Direction, type Step, unknownEncryption } from "moul-dissect/dissector";
import { bytes, rest, type StructType, struct } from "moul-dissect/schema";
import { connectionTypeName, connectPacketOf } from "./connect-packet.js";

const data = struct("data", { undissected: bytes(rest).sensitive("unknown") });

/** A connection whose connect packet names an undocumented type: the type is shown, the messages are not dissected. */
export class UndocumentedConversation implements ConversationDissector {
  readonly protocol: string;
  readonly encryptionState = unknownEncryption;
  readonly #name: string;
  readonly #packet: StructType<unknown> | undefined;
  #connected = false;

  constructor(connectionType: number) {
    this.#name = connectionTypeName(connectionType);
    this.protocol = `moul.${this.#name.charAt(0).toLowerCase()}${this.#name.slice(1)}`;
    this.#packet = connectPacketOf(connectionType);
  }

  next(direction: Direction): Step {
    if (direction === "c2s" && !this.#connected && this.#packet !== undefined) {
      return { step: "message", type: this.#packet };
    }
    const reason = `the messages of a ${this.#name} connection are not documented`;
    return { step: "unknown", name: `${this.#name}_Data`, head: data, reason };
  }

  decoded(): void {
    this.#connected = true;
  }
}
