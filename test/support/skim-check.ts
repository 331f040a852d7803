import { defaultLimits, type Limits } from "../../src/limits.js";
import { Decoder } from "../../src/schema/decode/decode.js";
import { Extent, type Window } from "../../src/schema/decode/window.js";
import { struct } from "../../src/schema/index.js";
import { Field } from "../../src/schema/language/field.js";
import type { NameLookup } from "../../src/schema/language/field-tree.js";
import { isStructType } from "../../src/schema/language/is-type.js";
import type { Type } from "../../src/schema/language/type.js";
import { LOOK, NEEDS } from "../../src/schema/skim/skim-state.js";
import { Skimmer } from "../../src/schema/skim/skimmer.js";
import { entryOf } from "../../src/schema/table/compile.js";
import type { FieldEntry } from "../../src/schema/table/struct-table.js";

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

  constructor(limits: Limits = defaultLimits) {
    this.#decoder = new Decoder(limits);
    this.#skimmer = new Skimmer(limits, { isEager: true });
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
    const skimmed = outcomeOf(() => this.#skimmer.skim(this.#entryOf(message), window, extent));
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
    const hasBindings = nodes.nameBindings.length > 0;
    if (state.hasBindings !== hasBindings) return `names are ${hasBindings ? "" : "not "}introduced`;
    const classes: string[] = [];
    nodes.forEachClass((name, bytes) => void classes.push(`${name} ${bytes}`));
    const seen = state.classes.slice(0, state.classCount).map((name, index) => `${name} ${state.lengths[index]}`);
    return seen.join() === classes.join() ? undefined : `classes ${classes.join(", ")}, not ${seen.join(", ")}`;
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

/** The extents in which messages are skimmed. */
export const SKIMMED: readonly Extent[] = [Extent.Exact, Extent.Open];

function outcomeOf<T>(act: () => T): T | string {
  try {
    return act();
  } catch (error) {
    return String(error);
  }
}
