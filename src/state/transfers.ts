import type { FileEvent, ListedFileEvent } from "../dissector/state-event.js";
import type { Limits } from "../limits.js";
import type { Moment } from "./moment.js";

/** A file that was transferred. */
export interface TransferredFile {
  readonly name: string;
  readonly at: Moment;
  /** In bytes, as announced. */
  readonly size: number;
  readonly bytes: Uint8Array;
  /** True if every byte of it is there. */
  readonly isWhole: boolean;
  readonly error: string | undefined;
  /** What lists of files said of it until then. */
  readonly listed: ListedFileEvent | undefined;
}

/** A transfer that goes on. */
interface Transfer {
  readonly name: string;
  readonly at: Moment;
  readonly size: number;
  readonly parts: { readonly offset: number; readonly bytes: Uint8Array }[];
  /** Where the next part belongs that does not say so. */
  next: number;
  error: string | undefined;
}

/** What a part of a file, and a transfer, take besides their bytes (measured on Node.js 20). */
const PART_OVERHEAD = 400;
const TRANSFER_OVERHEAD = 1200;
/** Transfers that are known to have been given up. */
const MOST_CLOSED = 10_000;

/** Puts the parts of files together. */
export class Transfers {
  readonly #open = new Map<string, Transfer>();
  /** Those that were given up: their rest is of no use. */
  readonly #closed = new Set<string>();
  readonly #listed = new Map<string, ListedFileEvent>();
  /** Bytes of all that is open, with what they take besides. */
  #held = 0;
  /** How many files were given up because too many bytes were open. */
  givenUp = 0;

  constructor(readonly limits: Pick<Limits, "transferBytes">) {}

  listed(file: ListedFileEvent): void {
    this.#listed.set(plainName(file.transferName), file);
  }

  /** Takes a part; returns the file once it is complete. */
  take({ transfer, name, size, offset, bytes, error }: FileEvent, at: Moment): TransferredFile | undefined {
    if (this.#closed.has(transfer)) return undefined;
    let open = this.#open.get(transfer);
    if (open === undefined) {
      open = { name, at, size, parts: [], next: 0, error };
      this.#open.set(transfer, open);
      this.#held += TRANSFER_OVERHEAD;
    }
    open.error ??= error;
    open.parts.push({ offset: offset ?? open.next, bytes });
    open.next = (offset ?? open.next) + bytes.length;
    this.#held += PART_OVERHEAD + bytes.length;
    if (open.error !== undefined || open.next >= open.size) return this.#finish(transfer, open);
    if (this.#held <= this.limits.transferBytes) return undefined;
    this.givenUp++;
    this.#close(transfer);
    return this.#finish(transfer, open);
  }

  /** The files whose rest has not come, by their transfers. */
  get open(): ReadonlyMap<string, TransferredFile> {
    return new Map([...this.#open].map(([transfer, open]) => [transfer, this.#assembled(open)]));
  }

  #close(transfer: string): void {
    this.#closed.add(transfer);
    if (this.#closed.size <= MOST_CLOSED) return;
    for (const oldest of this.#closed) {
      this.#closed.delete(oldest);
      return;
    }
  }

  #finish(transfer: string, open: Transfer): TransferredFile {
    this.#open.delete(transfer);
    this.#held -= heldBy(open) + TRANSFER_OVERHEAD + PART_OVERHEAD * open.parts.length;
    return this.#assembled(open);
  }

  #assembled(open: Transfer): TransferredFile {
    const { name, at, size, parts, error } = open;
    const held = heldBy(open);
    // As long as what came: a size that is announced may be anything.
    const end = parts.reduce((most, part) => Math.max(most, part.offset + part.bytes.length), 0);
    const whole = new Uint8Array(Math.min(end, held));
    let covered = 0;
    for (const { offset, bytes } of parts.sort((one, other) => one.offset - other.offset)) {
      if (offset > covered) break;
      whole.set(bytes.subarray(0, Math.max(0, whole.length - offset)), offset);
      covered = Math.max(covered, offset + bytes.length);
    }
    const isWhole = error === undefined && covered === size && covered === whole.length;
    return {
      name,
      at,
      size,
      bytes: whole.subarray(0, covered),
      isWhole,
      error,
      listed: this.#listed.get(plainName(name)),
    };
  }
}

function heldBy({ parts }: Transfer): number {
  return parts.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** A name as file systems without case compare it, whatever separates folders. */
function plainName(name: string): string {
  return name.replaceAll("\\", "/").toLowerCase();
}
