import { learnNames } from "../../src/dissect/learn-names.js";
import { defaultLimits, type Limits } from "../../src/limits.js";
import { summaryText } from "../../src/output/text/summary-text.js";
import { Decoder } from "../../src/schema/decode/decode.js";
import { Extent, type Window } from "../../src/schema/decode/window.js";
import { struct } from "../../src/schema/index.js";
import { Field } from "../../src/schema/language/field.js";
import type { FieldTree, NameLookup } from "../../src/schema/language/field-tree.js";
import { isStructType } from "../../src/schema/language/is-type.js";
import type { Type } from "../../src/schema/language/type.js";
import { Kept, Outline } from "../../src/schema/skim/kept.js";
import { LOOK, NEEDS } from "../../src/schema/skim/skim-state.js";
import { Skimmer } from "../../src/schema/skim/skimmer.js";
import { entryOf } from "../../src/schema/table/compile.js";
import type { FieldEntry } from "../../src/schema/table/struct-table.js";
import type { LearntNames } from "../../src/session/name-book.js";

/** Compares what skimming finds with what the decoder finds, which is right. */
export class SkimCheck {
  /** Sound messages, and those of them that were left to the decoder. */
  sound = 0;
  inVain = 0;
  settings: unknown;
  names: NameLookup | undefined;
  readonly #decoder: Decoder;
  readonly #skimmer: Skimmer;
  readonly #messages = new Map<Type<unknown, boolean>, Type<unknown, boolean>>();
  readonly #entries = new Map<Type<unknown, boolean>, FieldEntry>();

  /** @param outline what is kept while skimming, and compared */
  constructor(
    limits: Limits = defaultLimits,
    readonly outline: Outline = Outline.summaries,
  ) {
    this.#decoder = new Decoder(limits);
    this.#skimmer = new Skimmer(limits, (type) => this.#entryOf(type), { isEager: true, kept: new Kept([], outline) });
  }

  /** Returns what differs; undefined if nothing does. */
  difference(type: Type<unknown, boolean>, window: Window, extent: Extent): string | undefined {
    const decoder = this.#decoder;
    const { state } = this.#skimmer;
    state.settings = this.settings;
    state.nameOf = (kind, id) => this.names?.get(kind, id);
    decoder.settings = this.settings;
    decoder.names = this.names;
    const message = this.#messageOf(type);
    const skimmed = outcomeOf(() => this.#skim(message, window, extent === Extent.Exact));
    const decoded = outcomeOf(() => decoder.decode(message, window, extent));
    if (typeof skimmed !== "number") return skimmed === decoded ? undefined : `${skimmed}, not ${decoded}`;
    const { nodes, consumed, needed, endless } = decoder;
    const isSound = decoded === true && nodes.outcome === "ok" && nodes.notes.length === 0 && !endless;
    if (isSound) this.sound++;
    if (skimmed === LOOK) {
      if (isSound) this.inVain++;
      return undefined;
    }
    if (skimmed === NEEDS) {
      const least = Math.max(state.needed - window.start, 1);
      const found = decoded === false ? `${needed} bytes are` : "nothing is";
      return decoded === false && needed === least ? undefined : `${found} needed, not ${least}`;
    }
    const length = skimmed - window.start;
    if (!isSound) return `${length} bytes are said to be sound, but are ${decoded === true ? nodes.outcome : decoded}`;
    if (consumed !== length) return `${consumed} bytes, not ${length}`;
    const { store } = state;
    store.sources.splice(0, store.sources.length, ...nodes.sources);
    store.names = this.names;
    return differing(readIn(nodes, this.outline), readIn(store, this.outline));
  }

  #skim(message: Type<unknown, boolean>, { bytes, view, start, end }: Window, isExact: boolean): number {
    return this.#skimmer.skim(message, bytes, view, start, end, isExact);
  }

  /** Returns a message of a type: the type itself if it is a struct, or a struct with nothing else. */
  #messageOf(type: Type<unknown, boolean>): Type<unknown, boolean> {
    if (isStructType(type)) return type;
    const known = this.#messages.get(type) ?? struct("Value", { value: type });
    this.#messages.set(type, known);
    return known;
  }

  #entryOf(type: Type<unknown, boolean>): FieldEntry {
    const known = this.#entries.get(type);
    if (known !== undefined) return known;
    const { descriptor } = type;
    const entry = entryOf(new Field(descriptor.struct?.name ?? descriptor.kind, descriptor));
    this.#entries.set(type, entry);
    return entry;
  }
}

/** What is read without looking at the whole tree: names, classes, and the summary. */
function readIn(nodes: FieldTree, outline: Outline): string[] {
  const read: string[] = [];
  const record = (kind: string, id: string, name: string) => void read.push(`${kind} ${id} is ${name}`);
  const names: LearntNames = {
    get: () => undefined,
    knows: () => false,
    forget: () => {},
    set: record,
    learn: ({ kind, id }, name) => {
      const text = typeof name === "function" ? name() : name;
      if (text !== undefined) record(kind, id, typeof text === "string" ? text : `that of ${text.kind} ${text.id}`);
    },
  };
  learnNames(nodes, names);
  if (outline === Outline.names) return read;
  nodes.forEachClass((name, bytes) => void read.push(`class ${name}, ${bytes} bytes`));
  if (outline === Outline.classes) return read;
  read.push(summaryText({ name: "", status: "ok", nodes, offset: 0, length: nodes.endOf(0), notes: [] }));
  return read;
}

function differing(one: readonly string[], other: readonly string[]): string | undefined {
  const index = one.findIndex((text, index) => text !== other[index]);
  if (index >= 0) return `${one[index]}, not ${other[index]}`;
  return one.length === other.length ? undefined : `nothing more, not ${other[one.length]}`;
}

/** The extents in which messages are skimmed. */
export const SKIMMED: readonly Extent[] = [Extent.Exact, Extent.Open];

function outcomeOf<T>(act: () => T): T | string {
  try {
    return act();
  } catch (error) {
    return String(error);
  }
}
