import { Field } from "./field.js";
import { fits, has64Bits, isWhole } from "./opcode.js";
import type { Struct, StructType } from "./struct.js";
import { FIELD_NAME, type Type } from "./type.js";

/** Options of a family. */
export interface FamilyOptions {
  /** Tag of a null value, which has no fields. */
  readonly nullTag?: number | undefined;
  /** Names of tags, including undeclared ones. */
  readonly names?: ReadonlyMap<number, string>;
  /** True if only the declared tags exist: any other breaks the format. */
  readonly closed?: boolean;
}

/** A set of classes distinguished by a tag at their beginning, such as Plasma's creatables by their class index. */
export class Family {
  readonly nullTag: number | undefined;
  readonly names: ReadonlyMap<number, string>;
  readonly closed: boolean;
  readonly tagField: Field;
  readonly #classes = new Map<number, Struct>();
  readonly #named = new Map<string, Struct>();

  /**
   * @param name name of the family, for notes and errors
   * @param tagName name of the field that holds the tag
   * @param tagType wire type of the tag: a whole number of up to 32 bits, or one with a codec that reads numbers, not
   * bigints, such as a number of variable length
   */
  constructor(
    readonly name: string,
    readonly tagName: string,
    readonly tagType: Type<number>,
    { nullTag, names = new Map(), closed = false }: FamilyOptions = {},
  ) {
    this.nullTag = nullTag;
    this.names = names;
    this.closed = closed;
    const { opcode, codec } = tagType.descriptor;
    if (codec?.isWholeNumber !== true && (!isWhole(opcode) || has64Bits(opcode))) {
      throw new Error(`the tag of ${name} is not a whole number of up to 32 bits, or with a codec for whole numbers`);
    }
    if (!FIELD_NAME.test(tagName)) throw new Error(`${name}: ${JSON.stringify(tagName)} is not a valid field name`);
    const tags: readonly (readonly [number | undefined, string])[] = [[nullTag, "null"], ...names];
    for (const [tag, called] of tags) {
      if (tag !== undefined && !fits(tag, tagType.descriptor)) {
        throw new Error(`${name} calls ${tag} ${called}, a tag that ${tagType.descriptor.kind} cannot hold`);
      }
    }
    const describe = (tag: number) => (tag === nullTag ? "null" : this.nameOf(tag));
    this.tagField = new Field(tagName, { meaning: { form: "remark", describe }, ...tagType.descriptor });
  }

  /**
   * Adds classes. Throws for a mistake in the declarations: a class has no tag, or one that does not fit, or not the one
   * that `names` gives for its name; its tag or name is taken; one of its fields is called `class` or has the name of the tag; or a group has a condition on a field
   * that it does not have.
   */
  register(...classes: readonly StructType<unknown>[]): void {
    for (const { struct } of classes) {
      const { tag } = struct;
      if (tag === undefined) throw new Error(`${struct.name} has no tag and cannot be in the family ${this.name}`);
      if (!Number.isInteger(tag))
        throw new Error(`${struct.name} has the tag ${JSON.stringify(tag)}, not a whole number`);
      if (!fits(tag, this.tagType.descriptor)) {
        throw new Error(`${struct.title} has the tag ${tag}, which ${this.tagType.descriptor.kind} cannot hold`);
      }
      this.#expectOwnTag(struct.name, tag);
      const other = this.#classes.get(tag);
      if (other !== undefined) throw new Error(`${struct.name} and ${other.name} have the same tag ${tag}`);
      if (tag === this.nullTag) throw new Error(`${struct.name} has the null tag of ${this.name}`);
      if (struct.name !== "" && this.named(struct.name) !== undefined) {
        throw new Error(`two classes of ${this.name} are named ${struct.name}`);
      }
      for (const taken of [this.tagName, "class"]) {
        if (struct.descriptors.has(taken))
          throw new Error(`${struct.name} has a field named ${taken}, a name that ${this.name} uses itself`);
      }
      const [outer] = struct.outer;
      if (outer !== undefined) {
        throw new Error(`${struct.title} with the tag ${tag} of ${this.name}: ${outer.field} is not an earlier field`);
      }
      this.#classes.set(tag, struct);
      if (!this.#named.has(struct.name)) this.#named.set(struct.name, struct);
    }
  }

  #expectOwnTag(name: string, tag: number): void {
    if (name === "" || this.names.get(tag) === name) return;
    for (const [own, known] of this.names) {
      if (known !== name) continue;
      throw new Error(
        `${name} has the tag ${tag} (${hexadecimal(tag)}), but is ${own} (${hexadecimal(own)}) in ${this.name}`,
      );
    }
  }

  get(tag: number): Struct | undefined {
    return this.#classes.get(tag);
  }

  /** Returns what to call the class of a tag: the tag itself, if the class has no known name. */
  called(tag: number): string {
    const hasDigits = Number.isInteger(tag) && tag >= 0;
    return this.nameOf(tag) ?? (hasDigits ? hexadecimal(tag) : String(tag));
  }

  /** Returns the declared class of this name. */
  named(name: string): Struct | undefined {
    return this.#named.get(name);
  }

  /** Returns the name of the class with this tag, declared or not. */
  nameOf(tag: number): string | undefined {
    return this.#classes.get(tag)?.name || this.names.get(tag);
  }

  classes(): IterableIterator<Struct> {
    return this.#classes.values();
  }
}

function hexadecimal(tag: number): string {
  return `0x${tag.toString(16).padStart(4, "0")}`;
}
