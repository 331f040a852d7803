import type { Type } from "../language/type.js";
import { resolvedAs, withTag } from "../table/compile.js";
import type { FieldEntry, StructTable } from "../table/struct-table.js";
import { readLeaf } from "../tree/leaf.js";
import { NotCompiled } from "./code.js";
import { Generator } from "./generator.js";
import type { Keep, Kept } from "./kept.js";
import type { Linker, Manner } from "./linker.js";
import { LOOK, type Skim, type SkimState } from "./skim-state.js";

/** How often a type has to be resolved before it is compiled: a resolver may make a new one for each message. */
const OFTEN = 4;

/** False once the engine has refused to make code of strings: each attempt would be reported as an offence. */
let mayCompile = true;

/** A function that is compiled when it is first called. */
export class Program {
  skim: Skim = (bytes, view, position, limit, depth) => {
    this.skim = this.#compiled();
    return this.skim(bytes, view, position, limit, depth);
  };
  readonly #compile: () => Skim;

  constructor(compile: () => Skim) {
    this.#compile = compile;
  }

  #compiled(): Skim {
    if (!mayCompile) return leave;
    try {
      return this.#compile();
    } catch (error) {
      if (error instanceof EvalError) mayCompile = false;
      else if (!(error instanceof NotCompiled)) throw error;
      return leave;
    }
  }
}

/** Leaves a value to the decoder. */
function leave(): number {
  return LOOK;
}

/** The program of a class of a family. */
class ClassProgram extends Program {
  /** What the node of a field with this class is. */
  readonly variant: FieldEntry;
  /** True if all that is below that node is kept; true if functions of the class may read it. */
  readonly isWhole: boolean;
  readonly hasFunctions: boolean;
  readonly bindsNames: boolean;

  constructor(variant: FieldEntry, kept: Kept, compile: () => Skim) {
    super(compile);
    this.variant = variant;
    this.isWhole = kept.isWhole(variant.field);
    this.hasFunctions = kept.hasFunctions(variant.field);
    this.bindsNames = variant.table?.bindsNames === true;
  }
}

/** The classes that a polymorphic field can have, by their tags. */
class ClassPrograms {
  readonly #known = new Map<number, ClassProgram>();

  constructor(
    readonly entry: FieldEntry,
    readonly manner: Manner,
    readonly programs: Programs,
  ) {}

  /** Returns the program for a tag; undefined if the decoder would have something to say about the class. */
  get(tag: number): ClassProgram | undefined {
    return this.#known.get(tag) ?? this.#find(tag);
  }

  #find(tag: number): ClassProgram | undefined {
    const variant = withTag(this.entry, tag);
    const table = variant?.table;
    const { base } = this.entry.field;
    if (variant === undefined || table === undefined || (base !== undefined && !table.struct.isA(base)))
      return undefined;
    const { programs, manner } = this;
    const keep: Keep = programs.kept.isWhole(variant.field) ? "whole" : manner.keep;
    const found = new ClassProgram(variant, programs.kept, () =>
      new Generator(programs).struct(table, { ...manner, keep }),
    );
    this.#known.set(tag, found);
    return found;
  }
}

/** The types that a field may turn out to have. */
class ResolvedPrograms {
  readonly #places: ReadonlyMap<string, number>;
  readonly #known = new WeakMap<Type<unknown>, { uses: number; readonly program: Program }>();
  #isUnknown = false;

  /** @param earlier the leaves of the struct, in the order in which their places are given */
  constructor(
    readonly entry: FieldEntry,
    readonly earlier: readonly FieldEntry[],
    readonly manner: Manner,
    readonly programs: Programs,
  ) {
    this.#places = new Map(earlier.map(({ field }, index) => [field.name, index]));
  }

  /**
   * Returns the program of the type that the field has in a message.
   *
   * @param places start and end of each earlier leaf; a negative start if it is absent
   */
  of(bytes: Uint8Array, view: DataView, places: readonly number[]): Program | undefined {
    const { settings, nameOf } = this.programs.state;
    const { resolver = () => "" } = this.entry.field;
    this.#isUnknown = false;
    const member = (name: string) => {
      const index = this.#places.get(name);
      const field = index === undefined ? undefined : this.earlier[index]?.field;
      if (index === undefined || field === undefined) {
        this.#isUnknown = true;
        return undefined;
      }
      const start = places[2 * index] ?? -1;
      return start < 0 ? undefined : readLeaf(field, { bytes, view }, start, places[2 * index + 1] ?? start);
    };
    const type = resolver(member, settings, nameOf);
    if (this.#isUnknown || typeof type === "string") return undefined;
    let known = this.#known.get(type);
    if (known === undefined) {
      const resolved = resolvedAs(this.entry, type);
      const program = new Program(() => new Generator(this.programs).field(resolved, this.manner));
      known = { uses: 0, program };
      this.#known.set(type, known);
    }
    return ++known.uses < OFTEN ? undefined : known.program;
  }
}

/** The compiled code of all types that are in use. */
export class Programs implements Linker {
  readonly #tables = new WeakMap<StructTable, Map<string, Program>>();

  constructor(
    readonly state: SkimState,
    readonly kept: Kept,
  ) {}

  ofTable(table: StructTable, manner: Manner): Program {
    let known = this.#tables.get(table);
    if (known === undefined) {
      known = new Map();
      this.#tables.set(table, known);
    }
    const key = `${manner.ending} ${manner.keep}`;
    let program = known.get(key);
    if (program === undefined) {
      program = new Program(() => new Generator(this).struct(table, manner));
      known.set(key, program);
    }
    return program;
  }

  classesOf(entry: FieldEntry, manner: Manner): ClassPrograms {
    return new ClassPrograms(entry, manner, this);
  }

  resolverOf(entry: FieldEntry, earlier: readonly FieldEntry[], manner: Manner): ResolvedPrograms {
    return new ResolvedPrograms(entry, earlier, manner, this);
  }
}
