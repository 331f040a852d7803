import type { Message } from "../dissect/message.js";
import { type RangeNote, rangeNote, rangeText } from "../dissect/sync/skipped-range.js";
import type { FieldTree } from "../schema/language/field-tree.js";
import { BoundedMap, keyOf, OTHERS, partsOf } from "../stats/index.js";
import { all, quoted } from "./filter-text.js";
import type { BrokenField, Finding, FindingKind } from "./finding.js";
import { Group } from "./group.js";

/** Messages, or ranges, that are damaged in the same way. */
interface Damaged {
  readonly group: Group;
  readonly field: BrokenField | undefined;
  /** Whether no key helps any of them. */
  isBeyondKeys: boolean;
  /** What is missing among the bytes of ranges. */
  missing: number;
  gaps: number;
}

/** What could not be read or dissected. */
export class Damage {
  readonly #groups: BoundedMap<Damaged>;
  #field: BrokenField | undefined;
  #isBeyondKeys = false;

  constructor(most: number) {
    const damaged = (): Damaged => {
      return { group: new Group(), field: this.#field, isBeyondKeys: this.#isBeyondKeys, missing: 0, gaps: 0 };
    };
    this.#groups = new BoundedMap(damaged, most);
  }

  /** @param isBeyondKeys whether no key helps where its conversation is encrypted */
  take(message: Message, isBeyondKeys: boolean): void {
    const { nodes, status, name, notes } = message;
    this.#isBeyondKeys = status === "encrypted" && isBeyondKeys;
    if (nodes === undefined) {
      if (name === "gap" || name === "skipped") this.#add(message, name, "", "");
      else if (status === "encrypted") this.#addUndecrypted(message, rangeNote(notes[0]?.text ?? ""));
    } else if (status === "malformed") {
      const texts = new Set(notes.filter(({ severity }) => severity === "error").map(({ text }) => text));
      for (const text of texts.size > 0 ? texts : [""]) {
        this.#field = brokenField(nodes, text);
        this.#add(message, "malformed", name, text);
      }
      this.#field = undefined;
    } else if (status === "truncated") this.#add(message, "truncated", name, "");
    else if (status === "unknown") this.#add(message, "unknown", "", "", notes[0]?.text ?? name);
  }

  #addUndecrypted(message: Message, { reason, missing, gaps }: RangeNote): void {
    const damaged = this.#add(message, "undecrypted", "", reason);
    damaged.missing += missing;
    damaged.gaps += gaps;
  }

  #add(
    { number, protocol, length, notes }: Message,
    kind: FindingKind,
    name: string,
    what: string,
    text?: string,
  ): Damaged {
    const about = text ?? (what === "" ? (notes[0]?.text ?? "") : "");
    const damaged = this.#groups.of(keyOf(kind, protocol, name, what));
    damaged.group.add(number, about, length);
    damaged.isBeyondKeys &&= this.#isBeyondKeys;
    return damaged;
  }

  get findings(): Finding[] {
    const entries = this.#groups.entries().map(([key, damaged]) => ({ parts: partsOf(key, 4), ...damaged }));
    return entries.flatMap(({ parts, group, field, isBeyondKeys, missing, gaps }) => {
      const [kind = "", protocol = "", message = "", reason = ""] = parts;
      if (kind === OTHERS || !isDamage(kind)) return [];
      const what = rangeText({ reason, missing, gaps });
      // Where there is one reason, the filter need not name it.
      const isOnlyOne = entries.every(({ parts: [other, its, called, why] }) => {
        return other !== kind || its !== protocol || called !== message || why === reason;
      });
      const { count, bytes, examples } = group;
      const filter = all(
        ...filters[kind](message, isOnlyOne ? undefined : reason, gaps > 0),
        `protocol == ${quoted(protocol)}`,
      );
      const finding = { kind, protocol, message, what, count, bytes, examples, filter, shown: count };
      return { ...finding, ...(field && { field }), ...(isBeyondKeys && { isBeyondKeys }) };
    });
  }
}

/**
 * What a filter for each kind must say, beside the protocol.
 *
 * @param what undefined if it need not be named
 * @param isPart whether notes may go on after it
 */
const filters = {
  gap: () => ["gap"],
  skipped: () => ["skipped"],
  undecrypted: (_message: string, what: string | undefined, isPart: boolean) => ["encrypted", ...noted(what, isPart)],
  malformed: (message: string, what: string | undefined) => [
    `message == ${quoted(message)}`,
    "status == malformed",
    // Without a reason, those that have none, whatever else is said about them.
    ...(what === "" ? ["not notes.severity == error"] : noted(what)),
  ],
  truncated: (message: string) => [`message == ${quoted(message)}`, "status == truncated"],
  unknown: () => ["status == unknown", "not skipped"],
} as const satisfies {
  readonly [kind in FindingKind]?: (message: string, what: string | undefined, isPart: boolean) => string[];
};

function noted(text: string | undefined, isPart = false): string[] {
  return text === undefined ? [] : [`notes ${isPart ? "contains" : "=="} ${quoted(text)}`];
}

function isDamage(kind: string): kind is keyof typeof filters {
  return Object.hasOwn(filters, kind);
}

/** The field that a note is on, by the class that declares it; undefined for one on the whole message. */
function brokenField(nodes: FieldTree, text: string): BrokenField | undefined {
  const node = nodes.notes.find((note) => note.severity === "error" && note.text === text)?.node ?? 0;
  if (node === 0) return undefined;
  let type = "";
  let path = "";
  for (let at = 0; at < node; ) {
    const end = nodes.nextOf(at);
    if (at > 0 && end <= node) {
      at = end;
      continue;
    }
    const field = nodes.field(at);
    const name = field.struct?.name ?? "";
    if (name !== "") [type, path] = [name, ""];
    else if (at > 0 && field.name !== "") path += `${field.name}.`;
    at++;
  }
  const { name } = nodes.field(node);
  return type === "" ? undefined : { type, path: name === "" ? path.replace(/\.$/, "") : path + name };
}
