import { appendFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { UsageError } from "../usage-error.js";

/** Most bytes of all parts that wait to be written: files are opened seldom, and none stays open. */
const MOST_HELD = 32 * 1024 * 1024;

/** A folder with the parts of a capture. They get their names when all are whole. */
export class PartsFolder {
  /** What the names of parts begin with. */
  readonly #stem: string;
  readonly #unfinished: string;
  readonly #held = new Map<number, Uint8Array[]>();
  #heldBytes = 0;

  /** @param capture its path */
  constructor(
    readonly path: string,
    capture: string,
  ) {
    this.#stem = basename(capture).replace(/\.(pcap|pcapng|cap)?(\.(gz|zst|lz4))?$/i, "");
    this.#unfinished = join(path, `.${this.#stem}.${process.pid}`);
  }

  /** @throws UsageError if it is no folder, or there are parts of an earlier run: with those of this one, they would be read twice */
  refuse(mayReplace: boolean): void {
    if (existsSync(this.path) && !statSync(this.path).isDirectory())
      throw new UsageError(`${this.path} is not a folder`);
    const [one] = this.#earlier();
    if (one !== undefined && !mayReplace)
      throw new UsageError(`${join(this.path, one)} exists: --force replaces what is there`);
  }

  /** The path of a part. @param number from 0 */
  pathOf(number: number): string {
    return join(this.path, this.#nameOf(number));
  }

  begin(): void {
    this.abandon();
    mkdirSync(this.#unfinished, { recursive: true });
  }

  /** Adds to a part. @param bytes valid only during the call */
  write(part: number, bytes: Uint8Array): void {
    const held = this.#held.get(part);
    if (held === undefined) this.#held.set(part, [bytes.slice()]);
    else held.push(bytes.slice());
    this.#heldBytes += bytes.length;
    if (this.#heldBytes > MOST_HELD) this.#flush();
  }

  /** Gives the parts their names, in place of those of an earlier run. */
  end(): void {
    this.#flush();
    for (const name of this.#earlier()) rmSync(join(this.path, name));
    for (const name of readdirSync(this.#unfinished)) renameSync(join(this.#unfinished, name), join(this.path, name));
    this.abandon();
  }

  /** Takes away what is not finished, if there is any: where the path leads through a file, even that would fail. */
  abandon(): void {
    if (existsSync(this.#unfinished)) rmSync(this.#unfinished, { recursive: true, force: true });
  }

  #nameOf(number: number): string {
    return `${this.#stem}-${String(number + 1).padStart(5, "0")}.pcapng`;
  }

  #earlier(): string[] {
    if (!existsSync(this.path)) return [];
    const start = `${this.#stem}-`;
    return readdirSync(this.path).filter(
      (name) => name.startsWith(start) && /^\d{5,}\.pcapng$/.test(name.slice(start.length)),
    );
  }

  #flush(): void {
    for (const [part, pieces] of this.#held) {
      appendFileSync(join(this.#unfinished, this.#nameOf(part)), Buffer.concat(pieces));
    }
    this.#held.clear();
    this.#heldBytes = 0;
  }
}
