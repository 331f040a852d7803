import type { LimitCounts, Limits } from "../limits.js";
import { readKeyFile } from "../session/files/key-files.js";
import { readNames } from "../session/files/name-block.js";
import type { FileInMemory } from "../session/files/offered-file.js";
import type { Tracker } from "../session/tracker.js";
import type { EngineOptions, RunHooks } from "./options.js";

/** What the taking of secrets needs to know. */
interface EmbeddedOptions extends Pick<EngineOptions, "onRemark">, Pick<RunHooks, "share"> {
  readonly limits: Limits;
  readonly limitCounts: LimitCounts;
}

/** Takes the keys that captures bring with them, and the names that this program puts into them. */
export class EmbeddedSecrets {
  /** Bytes of all keys so far. */
  #keyBytes = 0;

  constructor(
    readonly tracker: Tracker,
    readonly options: EmbeddedOptions,
  ) {}

  /** Takes the content of a block; see `PacketListener.secrets`. */
  take(bytes: Uint8Array, name: string, isLate: boolean): void {
    const { onRemark, share, limits, limitCounts } = this.options;
    const names = readNames(bytes);
    if (names !== undefined) {
      share?.unusual("a capture contains names");
      for (const one of names) this.tracker.learn(one);
    } else if (this.#keyBytes + bytes.length > limits.keyBytes) limitCounts.reached("keyBytes");
    else if (this.#addKeys({ name, bytes })) {
      this.#keyBytes += bytes.length;
      if (isLate)
        onRemark?.(`${name}: these keys come after packets; connections that began before are not read with them`);
    }
  }

  /**
   * Takes keys. They may be of any kind, so those that no dissector knows are not worth a remark.
   *
   * @returns false if no dissector knows them
   */
  #addKeys(file: FileInMemory): boolean {
    const { tracker } = this;
    const { onRemark } = this.options;
    const { files, remarks } = readKeyFile(file, tracker.dissectors);
    if (files.length === 0) return false;
    for (const remark of remarks) onRemark?.(remark);
    const isLeftOut = files.map(([dissector, keys]) => !tracker.addKeys(dissector, keys)).includes(true);
    if (isLeftOut) onRemark?.(`${file.name}: there are too many key files; this one is left out`);
    return true;
  }
}
