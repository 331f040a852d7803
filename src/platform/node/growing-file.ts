import { type FileHandle, open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { CaptureError, type CaptureSource } from "../../capture/source.js";
import { decompressorsOf } from "./decompressors.js";
import { whyUnreadable } from "./file-error.js";
import { systemPath } from "./system-path.js";

const BLOCK_LENGTH = 256 * 1024;

/** How long to wait at the end of the file before looking for more, in milliseconds: a person should not notice it. */
const PAUSE = 100;

/**
 * A capture file that another program is still writing: at its end, more is waited for, until `stop` is called or the
 * file gets shorter, as it does when another recording takes its place.
 */
export class GrowingFile implements CaptureSource {
  readonly isReadOnce = true;
  readonly decompressors = decompressorsOf(async () => undefined);
  readonly #stopped = new AbortController();

  constructor(readonly name: string) {}

  /** Ends the waiting: what is in the file by then is still read. */
  stop(): void {
    this.#stopped.abort();
  }

  async *open(): AsyncGenerator<Uint8Array> {
    let handle: FileHandle | undefined;
    try {
      handle = await open(await systemPath(this.name), "r");
      if ((await handle.stat()).isDirectory())
        throw new CaptureError(this.name, "this is a folder, not a capture file");
      yield* this.#contents(handle);
    } catch (error) {
      if (error instanceof CaptureError || !(error instanceof Error) || !("code" in error)) throw error;
      throw new CaptureError(this.name, whyUnreadable(error), error);
    } finally {
      await handle?.close();
    }
  }

  async *#contents(file: FileHandle): AsyncGenerator<Uint8Array> {
    const block = new Uint8Array(BLOCK_LENGTH);
    const { signal } = this.#stopped;
    for (let length = 0; ; ) {
      // Asked for first: what is written in between is read.
      const isStopped = signal.aborted;
      const { bytesRead } = await file.read(block, 0, block.length, length);
      length += bytesRead;
      if (bytesRead > 0) yield block.subarray(0, bytesRead);
      else if (isStopped || (await file.stat()).size < length) return;
      else await sleep(PAUSE, undefined, { signal }).catch(() => {});
    }
  }
}
