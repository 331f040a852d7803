import type { Writable } from "node:stream";
import type { ReadingPlace } from "../index.js";

/** Inputs that are read faster than this are not worth a word. */
const SILENCE = 1000;
const BETWEEN_LINES = 200;
/** Back to the beginning of the line, which is then empty. */
const CLEAR = "\r\u001b[K";

/** A stream that may be a terminal. */
export type MaybeTerminal = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Tells on a terminal how far captures have been read: a line that is written over, and taken away at the end. */
export class Progress {
  readonly #begin: number;
  #last = 0;
  #isShown = false;

  /**
   * @param sizes of the captures in bytes; undefined where it is not known, as of standard input
   * @param now a clock in milliseconds
   */
  constructor(
    readonly terminal: MaybeTerminal,
    readonly sizes: readonly (number | undefined)[],
    readonly now: () => number = () => performance.now(),
  ) {
    this.#begin = now();
  }

  /** Told how far the reading has come; shows it from time to time. */
  reached({ capture, bytes }: ReadingPlace): void {
    const now = this.now();
    if (now - this.#begin < SILENCE || now - this.#last < BETWEEN_LINES) return;
    this.#last = now;
    const before = this.sizes.slice(0, capture).reduce<number>((sum, size) => sum + (size ?? 0), 0);
    const text = progressText(before + bytes, this.#total(), (now - this.#begin) / 1000);
    const width = Math.max(1, (this.terminal.columns ?? 80) - 1);
    this.terminal.write(`${CLEAR}${text.slice(0, width)}`);
    this.#isShown = true;
  }

  /** Takes the line away, so that something else can be written. */
  clear(): void {
    if (this.#isShown) this.terminal.write(CLEAR);
    this.#isShown = false;
  }

  #total(): number | undefined {
    let total = 0;
    for (const size of this.sizes) {
      if (size === undefined) return undefined;
      total += size;
    }
    return total;
  }
}

/** How far something has come, how fast, and how long it will take. */
export function progressText(bytes: number, total: number | undefined, seconds: number): string {
  const rate = seconds > 0 ? bytes / seconds : 0;
  const speed = `${sizeText(rate)}/s`;
  // A file that grows while it is read has no end that could be foretold.
  if (total === undefined || total < bytes || total === 0) return `${sizeText(bytes)}, ${speed}`;
  const percent = Math.floor((bytes / total) * 100);
  const left = rate > 0 ? `, ${durationText(Math.ceil((total - bytes) / rate))} left` : "";
  return `${percent}% of ${sizeText(total)}, ${speed}${left}`;
}

const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

function sizeText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${unit > 0 && size < 9.95 ? size.toFixed(1) : size.toFixed(0)} ${UNITS[unit]}`;
}

function durationText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
