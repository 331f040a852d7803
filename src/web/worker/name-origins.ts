import type { NameChange } from "../../session/name-book.js";

interface Origin {
  /** Number of the message that showed the name: the changes come before it is numbered. */
  readonly number: number;
  readonly name: string | undefined;
}

/** Which message showed the name of a thing. */
export class NameOrigins {
  readonly #kinds = new Map<string, Map<string, Origin[]>>();

  /** Takes a change. @param before how many messages there were by then */
  change(before: number, { kind, id, name }: NameChange): void {
    let ids = this.#kinds.get(kind);
    if (ids === undefined) {
      ids = new Map();
      this.#kinds.set(kind, ids);
    }
    const origins = ids.get(id);
    if (origins === undefined) ids.set(id, [{ number: before + 1, name }]);
    else origins.push({ number: before + 1, name });
  }

  /** Number of the message that showed the name which was known at a message; undefined if there is none. */
  at(index: number, scope: string | undefined, kind: string, id: string): number | undefined {
    const key = scope === undefined ? id : `${scope} ${id}`;
    const origins = this.#kinds.get(kind)?.get(key) ?? [];
    return origins.findLast(({ number, name }) => number <= index + 1 && name !== undefined)?.number;
  }
}
