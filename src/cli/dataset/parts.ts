import type { Message } from "../../dissect/message.js";
import type { RowGroup } from "./row-group.js";

/** The most messages of a part, and about the most bytes: enough for its rows to be compressed well. */
export const MOST_MESSAGES = 24_576;
const MOST_BYTES = 16 * 1024 * 1024;

/** Cuts the messages of a capture into parts: each has its rows made by one thread, and groups of rows of its own. */
export class PartEnds {
  #messages = 0;
  #bytes = 0;

  /** @param most messages of a part */
  constructor(readonly most: number) {}

  /** Takes every message; true for the last one of a part. */
  isAt({ length }: Message): boolean {
    this.#messages++;
    this.#bytes += length;
    if (this.#messages < this.most && this.#bytes < MOST_BYTES) return false;
    this.#messages = 0;
    this.#bytes = 0;
    return true;
  }
}

/** Groups of rows of a part whose turn has not come yet. */
export interface Part {
  readonly waiting: RowGroup[];
  isWhole: boolean;
}

/** Passes on groups of rows that several threads make, in the order of the parts. */
export class PartOrder {
  readonly #begun: Part[] = [];

  constructor(readonly write: (group: RowGroup) => void) {}

  /** How many parts are not whole yet, or wait for others. */
  get count(): number {
    return this.#begun.length;
  }

  begin(): Part {
    const part: Part = { waiting: [], isWhole: false };
    this.#begun.push(part);
    return part;
  }

  came(part: Part, group: RowGroup): void {
    if (part === this.#begun[0]) this.write(group);
    else part.waiting.push(group);
  }

  ended(part: Part): void {
    part.isWhole = true;
    while (this.#begun[0]?.isWhole === true) {
      this.#begun.shift();
      for (const group of this.#begun[0]?.waiting.splice(0) ?? []) this.write(group);
    }
  }
}
