import { whyUnwritable } from "../../platform/node/file-error.js";
import { UsageError } from "../usage-error.js";
import { Ring } from "./ring.js";

/** What `--ring` keeps of a recording; nothing without it, and nothing more once it cannot be written. */
export class KeptRecording {
  #ring: Ring | undefined;
  #hasFailed = false;

  private constructor(
    ring: Ring | undefined,
    readonly path: string,
    readonly say: (text: string) => void,
  ) {
    this.#ring = ring;
  }

  /**
   * @param path of a file, such as live.pcap; numbers go before its ending
   * @param bytes on disk at most; undefined to keep nothing
   * @param say is told why nothing more is kept
   * @throws UsageError if there is such a recording, or no such folder: better now than when nobody looks any more
   */
  static at(path: string, bytes: number | undefined, say: (text: string) => void): KeptRecording {
    const ring = bytes === undefined ? undefined : new Ring(path, bytes);
    if (ring !== undefined) refuseTaken(ring);
    return new KeptRecording(ring, path, say);
  }

  /** True if something could not be written. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Takes the next bytes of the recording, cut anywhere. */
  write(bytes: Uint8Array): void {
    try {
      this.#ring?.write(bytes);
    } catch (error) {
      this.say(`${this.path}: ${whyUnwritable(error)}; nothing more of the recording is kept`);
      this.#ring = undefined;
      this.#hasFailed = true;
    }
  }

  /** Ends the recording; returns the files that it is in, the oldest first. */
  end(): string[] {
    return this.#ring?.end() ?? [];
  }
}

function refuseTaken(ring: Ring): void {
  let taken: string | undefined;
  try {
    taken = ring.taken();
  } catch (error) {
    throw new UsageError(`${ring.path}: ${whyUnwritable(error)}`);
  }
  if (taken !== undefined) throw new UsageError(`${taken} exists: name another file with -w`);
}
