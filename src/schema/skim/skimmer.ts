import type { Limits } from "../../limits.js";
import type { Selection } from "../language/field-tree.js";
import { Opcode } from "../language/opcode.js";
import type { Type } from "../language/type.js";
import type { FieldEntry, StructTable } from "../table/struct-table.js";
import { Kept, type Outline } from "./kept.js";
import type { Ending } from "./linker.js";
import { type Prefix, prefixOf } from "./prefix.js";
import { type Program, Programs } from "./programs.js";
import { LOOK, SkimState } from "./skim-state.js";

/** Messages of a type that are decoded before it is compiled: most types of a small capture are not seen more often. */
const FEW = 64;
/** Messages of a type after which it is decided anew whether skimming pays. */
const ROUND = 256;
/** It does not if more than this many of them had to be decoded nevertheless. */
const MOST_IN_VAIN = 160;
/** Messages that are decoded before it is tried again. */
const PAUSE = 16 * ROUND;
/** Selections that are compiled for; readers with more get whole trees. */
const MOST_SELECTIONS = 32;

/** What is compiled of the type of a message, and whether that pays. */
class Root {
  readonly prefix: Prefix;
  readonly programs: Readonly<Record<Ending, Program>>;
  readonly hasFunctions: boolean;
  /** Messages that are still decoded. */
  #pause = FEW;
  #skimmed = 0;
  #inVain = 0;

  constructor(
    readonly type: Type<unknown, boolean>,
    readonly entry: FieldEntry,
    readonly table: StructTable,
    programs: Programs,
  ) {
    const { field } = entry;
    this.prefix = prefixOf(field, table);
    // What stands for a message without a summary is made by a function, too.
    const { kept } = programs;
    this.hasFunctions = kept.hasFunctions(field) || (kept.hasSummaries && table.struct.label !== undefined);
    const keep = this.hasFunctions || kept.isWhole(field) ? "whole" : "parts";
    this.programs = {
      bounded: programs.ofTable(table, { ending: "bounded", keep }),
      open: programs.ofTable(table, { ending: "open", keep }),
    };
  }

  /** True if the next message is skimmed. */
  isNext(): boolean {
    if (this.#pause > 0) {
      this.#pause--;
      return false;
    }
    if (++this.#skimmed < ROUND) return true;
    if (this.#inVain > MOST_IN_VAIN) this.#pause = PAUSE;
    this.#skimmed = 0;
    this.#inVain = 0;
    return this.#pause === 0;
  }

  /** Notes that a message has to be decoded nevertheless. */
  inVain(): void {
    this.#inVain++;
  }
}

interface SkimmerOptions {
  readonly isEager?: boolean;
  readonly kept?: Kept;
}

/**
 * Finds the ends of sound messages without decoding them, by code that is compiled from the tables of their types: see
 * `Generator`. Types of one copy of the language are compiled once for each skimmer.
 */
export class Skimmer {
  readonly state: SkimState;
  #programs: Programs;
  readonly #roots = new Map<Type<unknown, boolean>, Root | undefined>();
  readonly #entryOf: (type: Type<unknown, boolean>) => FieldEntry;
  /** What readers have asked for since the programs were made. */
  readonly #asked: Selection[] = [];
  #outline: Outline;
  #root: Root | undefined;
  readonly #isEager: boolean;

  /**
   * @param entryOf returns the entry of the type of a message, which is not in a struct
   * @param options `isEager` to skim every message, for tests; `kept` is what is kept before readers ask for more
   */
  constructor(
    limits: Limits,
    entryOf: (type: Type<unknown, boolean>) => FieldEntry,
    { isEager = false, kept = new Kept() }: SkimmerOptions = {},
  ) {
    this.#entryOf = entryOf;
    this.state = new SkimState(limits.nodes, limits.depth, limits.notes);
    this.#programs = new Programs(this.state, kept);
    this.#outline = kept.outline;
    this.#isEager = isEager;
  }

  /**
   * Returns the end of a message, `NEEDS` or `LOOK`.
   *
   * @param isExact true if the message ends at the limit; more bytes may come if not
   */
  skim(
    type: Type<unknown, boolean>,
    bytes: Uint8Array,
    view: DataView,
    start: number,
    limit: number,
    isExact: boolean,
  ): number {
    if (this.#asked.length > 0 || this.#outline !== this.#programs.kept.outline) this.#renew();
    const root = this.#roots.get(type) ?? this.#newRoot(type);
    this.#root = root;
    if (root === undefined || !(this.#isEager || root.isNext())) return LOOK;
    const { state } = this;
    state.begin(start);
    const { store } = state;
    store.add(root.entry, 0, 0, 0);
    state.hasFunctions = root.hasFunctions;
    if (root.table.bindsNames) store.nameBindings.push(0);
    const { bounded, open } = root.programs;
    const end = (isExact ? bounded : open).skim(bytes, view, start, limit, 1);
    if (end === LOOK || (isExact && end !== limit)) {
      root.inVain();
      return LOOK;
    }
    store.close(0, end - start);
    return end;
  }

  /** What is known about the beginning of the last message that was skimmed. */
  get prefix(): Prefix | undefined {
    return this.#root?.prefix;
  }

  /** The type of that message. */
  get type(): Type<unknown, boolean> | undefined {
    return this.#root?.type;
  }

  /** True if what a reader selects of the message last skimmed was kept; if not, it will be in the next ones. */
  keeps(selection: Selection): boolean {
    const { selections } = this.#programs.kept;
    if (selections.includes(selection)) return true;
    const isNew = !this.#asked.includes(selection);
    if (isNew && selections.length + this.#asked.length < MOST_SELECTIONS) this.#asked.push(selection);
    return false;
  }

  /** True if this outline of the message last skimmed was kept; if not, it will be in the next ones. */
  keepsOutline(outline: Outline): boolean {
    if (this.#outline < outline) this.#outline = outline;
    return this.#programs.kept.outline >= outline;
  }

  /** Has all types compiled anew, for what readers have asked for. */
  #renew(): void {
    const { selections } = this.#programs.kept;
    const kept = new Kept([...selections, ...this.#asked.splice(0)], this.#outline);
    this.#programs = new Programs(this.state, kept);
    this.#roots.clear();
  }

  /** Notes that the message last skimmed has to be decoded nevertheless. */
  inVain(): void {
    this.#root?.inVain();
  }

  /** Returns what is compiled of a type; undefined if nothing is. */
  #newRoot(type: Type<unknown, boolean>): Root | undefined {
    if (this.#roots.has(type)) return undefined;
    const entry = this.#entryOf(type);
    const { opcode, table } = entry;
    const isStruct = opcode === Opcode.Struct && table !== undefined;
    const root = isStruct ? new Root(type, entry, table, this.#programs) : undefined;
    this.#roots.set(type, root);
    return root;
  }
}
