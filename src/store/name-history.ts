import type { NameLookup } from "../schema/language/field-tree.js";
import type { NameChange } from "../session/name-book.js";

/** A name, and from which message on it holds; undefined if it was dropped. */
interface Version {
  readonly from: number;
  readonly name: string | undefined;
}

/** The names that a dissector knew when each message was dissected. */
export class NameHistory {
  readonly #kinds = new Map<string, Map<string, Version[]>>();

  /** Notes a change that precedes a message. */
  change(from: number, { kind, id, name }: NameChange): void {
    let ids = this.#kinds.get(kind);
    if (ids === undefined) {
      ids = new Map();
      this.#kinds.set(kind, ids);
    }
    const versions = ids.get(id);
    if (versions === undefined) ids.set(id, [{ from, name }]);
    else versions.push({ from, name });
  }

  /** The names as they were for a message; of a scope, if the conversation has one. */
  at(message: number, scope: string | undefined): NameLookup {
    const prefix = scope === undefined ? "" : `${scope} `;
    return { scope, get: (kind, id) => this.#nameAt(message, this.#kinds.get(kind)?.get(prefix + id)) };
  }

  #nameAt(message: number, versions: readonly Version[] | undefined): string | undefined {
    if (versions === undefined) return undefined;
    let low = 0;
    let high = versions.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((versions[middle]?.from ?? 0) <= message) low = middle + 1;
      else high = middle;
    }
    return versions[low - 1]?.name;
  }
}
