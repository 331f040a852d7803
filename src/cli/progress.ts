import type { Writable } from "node:stream";
import type { ReadingPlace } from "../index.js";
import { printable } from "../output/writers/sanitise.js";

/** Milliseconds before progress is shown: quick runs need none. */
const SILENCE = 1000;
const BETWEEN_LINES = 200;
/** Returns to the beginning of the line and clears it. */
const CLEAR = "\r\u001b[K";

/** A stream that may be a terminal. */
export type MaybeTerminal = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Shows on a terminal how far captures have been read: a line that is overwritten, and removed at the end. */
export class Progress {
  readonly #begin: number;
  #last = 0;
  #isShown = false;

  /**
   * @param sizes of the captures in bytes; undefined where unknown, as for standard input
   * @param now a clock in milliseconds
   */
  constructor(
    readonly terminal: MaybeTerminal,
    readonly sizes: readonly (number | undefined)[],
    readonly now: () => number = () => performance.now(),
  ) {
    this.#begin = now();
  }

  /** Notes how far the reading has come, and shows it from time to time. */
  reached(place: ReadingPlace): void {
    this.#show(() => this.#text(place));
  }

  /** The same where each capture is read on its own: it says which one, too. */
  reachedIn(name: string, place: ReadingPlace): void {
    const { capture, bytes } = place;
    const size = this.sizes[capture];
    const done = size === undefined || size === 0 ? "" : ` ${Math.floor((100 * Math.min(bytes, size)) / size)}%`;
    this.#show(() => `${capture + 1}/${this.sizes.length} ${printable(name)}${done}; ${this.#text(place)}`);
  }

  #text({ capture, bytes }: ReadingPlace): string {
    const before = sumOf(this.sizes.slice(0, capture));
    const total = this.sizes.includes(undefined) ? undefined : sumOf(this.sizes);
    return progressText(before + bytes, total, (this.now() - this.#begin) / 1000);
  }

  #show(textNow: () => string): void {
    const now = this.now();
    if (now - this.#begin < SILENCE || now - this.#last < BETWEEN_LINES) return;
    this.#last = now;
    const text = textNow();
    // A terminal of unknown size says 0.
    const width = Math.max(1, (this.terminal.columns || 80) - 1);
    this.terminal.write(`${CLEAR}${text.slice(0, width)}`);
    this.#isShown = true;
  }

  /** Removes the line so that something else can be written. */
  clear(): void {
    if (this.#isShown) this.terminal.write(CLEAR);
    this.#isShown = false;
  }
}

function sumOf(sizes: readonly (number | undefined)[]): number {
  return sizes.reduce<number>((sum, size = 0) => sum + size, 0);
}

/** How much has been read, how fast, and how long the rest will take. */
export function progressText(bytes: number, total: number | undefined, seconds: number): string {
  const rate = bytes / seconds;
  const speed = `${sizeText(rate)}/s`;
  // The end of a file that grows while it is read cannot be predicted.
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
