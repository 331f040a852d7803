import type { Assembled, MessagePlace } from "moul-dissect/dissector";
import { copyOf, type FieldTree, type StructType } from "moul-dissect/schema";

/** No known version has longer worlds; a modern one with a large map comes close to a megabyte. */
const LONGEST_WORLD = 16 * 1024 * 1024;

/**
 * Assembles a world from the chunks in which a client downloads it. Each chunk gives the number of bytes from its own
 * place on: the first one therefore the length of the whole, the last one its own. Source: facts, section 6.
 */
export class WorldDownload {
  #chunks: Uint8Array[] = [];
  #parts: MessagePlace[] = [];
  #received = 0;
  #length = 0;
  #complete: Assembled | undefined;

  /** @param beginsWith true for the first bytes of a world, so that assembly does not start in the middle of one */
  constructor(
    readonly type: StructType<unknown>,
    readonly beginsWith: (bytes: Uint8Array) => boolean,
  ) {}

  /** Adds the chunk in a MsgGetWorld, as a copy. */
  add(nodes: FieldTree, place: MessagePlace): void {
    this.#complete = undefined;
    const data = nodes.child(0, "data");
    const chunk = data < 0 ? new Uint8Array(0) : nodes.bytes(data);
    if (chunk.length === 0) return;
    const remaining = nodes.numberIn(0, "remaining") ?? 0;
    // A modern server already says 0 with the last chunk.
    const left = remaining === 0 ? chunk.length : remaining;
    if (this.#received === 0 || left !== this.#length - this.#received) {
      this.#reset();
      if (!this.beginsWith(chunk) || left > LONGEST_WORLD) return;
      this.#length = left;
    }
    this.#chunks.push(copyOf(chunk));
    this.#parts.push(place);
    this.#received += chunk.length;
    if (this.#received < this.#length) return;
    if (this.#received === this.#length) {
      this.#complete = { type: this.type, bytes: Buffer.concat(this.#chunks), parts: this.#parts };
    }
    this.#reset();
  }

  /** The world that the last chunk completed; returned once. */
  take(): Assembled | undefined {
    const complete = this.#complete;
    this.#complete = undefined;
    return complete;
  }

  #reset(): void {
    this.#chunks = [];
    this.#parts = [];
    this.#received = 0;
    this.#length = 0;
  }
}
