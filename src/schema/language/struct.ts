import type { Condition } from "./condition.js";
import type { Derived, NameBinding } from "./derived.js";
import { Field } from "./field.js";
import type { FieldTree } from "./field-tree.js";
import { Opcode } from "./opcode.js";
import { FIELD_NAME, Type, type TypeDescriptor } from "./type.js";

/** Optional properties of a struct. */
export interface StructOptions {
  /** Number that identifies this class on the wire: class index, message type, event type. */
  readonly tag?: number;
  readonly doc?: string;
  /** A class that this one counts as (see `isA`), although it has none of that class's fields on the wire. */
  readonly countsAs?: StructType<unknown>;
  readonly derived?: readonly Derived[];
  readonly introduces?: NameBinding | readonly NameBinding[];
  /**
   * Name of the field, or of the derived value, whose values a path to the struct stands for in filters and columns.
   * Where it is absent, the path is still true in a filter, but has no value.
   */
  readonly valueField?: string;
  /**
   * Returns the struct as one string: its value in JSON, and its meaning in the tree. Returns undefined if the struct
   * was not decoded completely.
   */
  readonly shownAs?: (nodes: FieldTree, node: number) => string | undefined;
  /** What the texts of `shownAs` look like: a comparison with any other is a mistake. */
  readonly shownLike?: ShownLike;
  /** Returns what the struct says in one line, for the tree. Its value remains the object with its fields. */
  readonly label?: (nodes: FieldTree, node: number) => string | undefined;
  /**
   * Returns what the struct adds to the one-line summary of a message, such as `isOpen=true`. Nothing in it then adds
   * anything of its own.
   */
  readonly fact?: (nodes: FieldTree, node: number) => Fact;
}

/**
 * What a struct adds to a summary, as one text or in parts, valid until the next call: a number in it is one of single
 * precision, and is shown with 7 digits.
 */
export type Fact = string | readonly (string | number)[];

/** A kind of text. */
export interface ShownLike {
  /** Matches all such texts. */
  readonly pattern: RegExp;
  /** What one is called: "a time such as 2026-11-20T04:55:07.5Z". */
  readonly what: string;
}

/** Valid names of classes, which end up in lines, tables and files of every kind; a group has none. */
const CLASS_NAME = /^(?:\w[\w.-]*)?$/;

const OPTIONS: ReadonlySet<string> = new Set<keyof StructOptions>([
  "tag",
  "doc",
  "countsAs",
  "derived",
  "introduces",
  "valueField",
  "shownAs",
  "shownLike",
  "label",
  "fact",
]);

/** The declaration of one class: the fields of its base class, then its own. See `checkStruct` for mistakes in it. */
export class Struct {
  readonly tag: number | undefined;
  readonly doc: string;
  readonly countsAs: Struct | undefined;
  readonly derived: readonly Derived[];
  /** What this class and its bases introduce; undefined if nothing. */
  readonly introduces: readonly NameBinding[] | undefined;
  readonly valueField: string | undefined;
  /** What `valueField` names, if that is a derived value. */
  readonly derivedValue: Derived | undefined;
  readonly shownAs: ((nodes: FieldTree, node: number) => string | undefined) | undefined;
  readonly shownLike: ShownLike | undefined;
  readonly label: ((nodes: FieldTree, node: number) => string | undefined) | undefined;
  readonly fact: ((nodes: FieldTree, node: number) => Fact) | undefined;
  /** The members with their declarations, as they were written. */
  readonly descriptors: ReadonlyMap<string, TypeDescriptor>;

  #fields: readonly Field[] | undefined;
  #minimumWidth: number | undefined;

  constructor(
    readonly name: string,
    readonly base: Struct | undefined,
    members: readonly (readonly [string, TypeDescriptor])[],
    options: StructOptions,
  ) {
    const stranger = Object.keys(options).find((option) => !OPTIONS.has(option));
    if (stranger !== undefined) throw new Error(`${this.title}: ${stranger} is not an option of a struct`);
    if (!CLASS_NAME.test(name)) throw new Error(`${JSON.stringify(name)} is not a valid class name`);
    this.tag = options.tag;
    this.doc = options.doc ?? "";
    this.countsAs = options.countsAs?.struct ?? base?.countsAs;
    this.derived = [...(base?.derived ?? []), ...(options.derived ?? [])];
    const bindings = [base?.introduces ?? [], options.introduces ?? []].flat();
    this.introduces = bindings.length === 0 ? undefined : bindings;
    this.valueField = options.valueField ?? base?.valueField;
    this.derivedValue = this.derived.find((derived) => derived.name === this.valueField);
    this.shownAs = options.shownAs ?? base?.shownAs;
    this.shownLike = options.shownLike ?? base?.shownLike;
    this.label = options.label ?? base?.label;
    this.fact = options.fact ?? base?.fact;
    const descriptors = new Map(base?.descriptors);
    for (const [memberName, descriptor] of members) {
      if (!FIELD_NAME.test(memberName))
        throw new Error(`${name}: ${JSON.stringify(memberName)} is not a valid field name`);
      if (descriptors.has(memberName)) throw new Error(`${name} has two fields named ${memberName}`);
      descriptors.set(memberName, descriptor);
    }
    this.descriptors = descriptors;
  }

  /** Its fields, in wire order. Most runs look at few of the classes that are declared. */
  get fields(): readonly Field[] {
    this.#fields ??= Object.freeze([...this.descriptors].map(([name, descriptor]) => new Field(name, descriptor)));
    return this.#fields;
  }

  /** Its name in errors about declarations. */
  get title(): string {
    return this.name || "a group";
  }

  /** For a group: the conditions in it that are on fields of the struct around it. */
  get outer(): readonly Condition[] {
    if (this.name !== "") return [];
    return this.fields.flatMap(conditionsIn).filter(({ field }) => this.isOuter(field));
  }

  /** True for a path that is not in this group, but in the struct around it. */
  isOuter(path: string): boolean {
    if (this.name !== "" || typeof path !== "string") return false;
    const [head = ""] = path.split(".");
    return !this.descriptors.has(head);
  }

  /** The least number of bytes that a value of this struct can have. */
  get minimumWidth(): number {
    this.#minimumWidth ??= this.fields
      .filter(({ conditions }) => conditions.length === 0)
      .reduce((sum, field) => sum + field.minimumWidth, 0);
    return this.#minimumWidth;
  }

  /** True if this struct is `ancestor`, is derived from it, or counts as a class that is. */
  isA(ancestor: Struct): boolean {
    return this === ancestor || this.base?.isA(ancestor) === true || this.countsAs?.isA(ancestor) === true;
  }
}

/** The conditions of a field and of the types in it; those of a group in it only as far as they are not its own. */
function conditionsIn({ struct, conditions, compression, within }: Field): readonly Condition[] {
  const compressed = compression === undefined ? [] : [compression.when];
  return [...(struct?.outer ?? []), ...conditions, ...compressed, ...within.flatMap(conditionsIn)];
}

/** The type of a struct, from which others can be derived. */
export class StructType<out V> extends Type<V> {
  constructor(readonly struct: Struct) {
    super({ opcode: Opcode.Struct, kind: "struct", width: 0, struct, doc: struct.doc });
  }
}
