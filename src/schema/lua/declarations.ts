import type { CodecPlan } from "../language/codec.js";
import { isProvisional } from "../language/derived.js";
import type { Family } from "../language/family.js";
import { Field } from "../language/field.js";
import type { Meaning } from "../language/meaning.js";
import { isArray, Opcode } from "../language/opcode.js";
import type { Struct, StructType } from "../language/struct.js";
import { type Twin, type TwinData, twinOf } from "../language/twin.js";
import { type Resolver, Type } from "../language/type.js";
import { entryOf, resolvedAs, tableOf, wholeNumberEntry } from "../table/compile.js";
import type { FieldEntry, SlotCondition, StructTable } from "../table/struct-table.js";
import { type LuaValue, luaLiteral } from "./literal.js";
import { namedNumbers } from "./named-numbers.js";
import { opcodeNames } from "./opcode-names.js";

/** Functions of declarations that have a twin in Lua, by the name of the twin. */
export interface LuaTwins {
  /** Those that describe numbers (see `Meaning`) or structs (see `StructOptions.label`). */
  readonly labels: ReadonlyMap<unknown, string>;
  readonly resolvers: ReadonlyMap<Resolver, string>;
}

/** What a codec without a plan is to the decoder in Lua: bytes up to the end of the region. */
const UNKNOWN_CODEC: CodecPlan = { form: "unknown" };

/**
 * Declarations as data for a decoder in Lua: the tables by which bytes are decoded here, written as Lua tables. Structs
 * and families are referred to by number, and so may refer to each other.
 */
export class LuaDeclarations {
  readonly #tables = new Map<StructTable, number>();
  readonly #tableTexts: string[] = [];
  readonly #structs = new Map<Struct, number>();
  readonly #structTexts: string[] = [];
  readonly #families = new Map<Family, number>();
  readonly #familyTexts: string[] = [];
  readonly #names = new Map<string, number>();
  readonly #pending: (() => void)[] = [];
  /** Kinds of leaves that the decoder in Lua cannot read, and names of fields whose type it cannot find. */
  readonly left = new Set<string>();

  /** @param prefix of the names of fields in filters: the name of the dissector */
  constructor(
    readonly prefix: string,
    readonly twins: LuaTwins,
  ) {}

  /** Returns the number of the table of a message. */
  table(type: StructType<unknown>): number {
    const number = this.#table(tableOf(type.struct));
    this.#settle();
    return number;
  }

  /** Returns the number of a family. */
  family(family: Family): number {
    const number = this.#family(family);
    this.#settle();
    return number;
  }

  /** How many tables there are so far. */
  get count(): number {
    return this.#tables.size;
  }

  /** The source of a function that returns the tables. */
  source(): string {
    const list = (name: string, texts: readonly string[]) =>
      texts.map((text, index) => `${name}[${index + 1}]=${text}`).join("\n");
    const names = [...this.#names.keys()];
    return [
      "local names, structs, tables, families = {}, {}, {}, {}",
      list("names", names),
      list("structs", this.#structTexts),
      list("tables", this.#tableTexts),
      list("families", this.#familyTexts),
      `return {prefix=${luaLiteral(this.prefix)},names=names,structs=structs,tables=tables,families=families}`,
    ].join("\n");
  }

  #settle(): void {
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) next();
  }

  #table(table: StructTable): number {
    return numbered(this.#tables, table, (number) => {
      this.#tableTexts[number - 1] = "{}";
      this.#pending.push(() => {
        const { struct, entries } = table;
        this.#tableTexts[number - 1] = luaLiteral({
          st: this.#struct(struct),
          e: entries.map((entry) => this.#entry(entry)),
        });
      });
    });
  }

  #struct(struct: Struct): number {
    return numbered(this.#structs, struct, (number) => {
      this.#structTexts[number - 1] = "{}";
      this.#pending.push(() => {
        const { name, base, countsAs, tag, doc, introduces, label, shownAs, fact } = struct;
        this.#structTexts[number - 1] = luaLiteral({
          n: name,
          base: base && this.#struct(base),
          as: countsAs && this.#struct(countsAs),
          tag,
          d: doc || undefined,
          ...this.#textOf("lb", shownAs ?? label),
          ...this.#textOf("fa", fact),
          binds: introduces?.flatMap((binding) => {
            const { kind, id, name: named, when, except } = binding;
            const by = typeof named === "string" ? { name: named } : this.#textOf("by", named);
            if (Object.keys(by).length === 0) return [];
            const prov = isProvisional(binding) || undefined;
            return [{ kind, id, ...by, when: when && { ...when }, except, prov }];
          }),
        });
      });
    });
  }

  #family(family: Family): number {
    return numbered(this.#families, family, (number) => {
      this.#familyTexts[number - 1] = "{}";
      this.#pending.push(() => {
        const classes = [...family.classes()].flatMap((struct): [number, number][] =>
          struct.tag === undefined ? [] : [[struct.tag, this.#table(tableOf(struct))]],
        );
        this.#familyTexts[number - 1] = luaLiteral({
          n: family.name,
          tag: this.#entry(wholeNumberEntry(family.tagField)),
          null: family.nullTag,
          closed: family.closed || undefined,
          classes: new Map(classes),
          names: family.names,
        });
      });
    });
  }

  /** An entry of a table: see `wireshark/lua/decode` for the names of its members. */
  #entry(entry: FieldEntry): { readonly [name: string]: LuaValue | undefined } {
    const { field, opcode, table, length, lengthSlot } = entry;
    const within = (one: FieldEntry | undefined) => one && this.#entry(one);
    const { literal, inflatedLength } = field.compression ?? {};
    const measured = hasLength(opcode);
    return {
      o: opcodeNames[opcode],
      n: field.name,
      w: entry.width,
      k: field.kind,
      f: this.#meaning(field.meaning, entry.width),
      sum: field.inSummary || undefined,
      d: field.doc || undefined,
      s: entry.slot < 0 ? undefined : entry.slot,
      c: entry.conditions.length === 0 ? undefined : entry.conditions.map(conditionOf),
      t: opcode === Opcode.Struct && table !== undefined ? this.#table(table) : undefined,
      cap: pairs(entry.exports),
      imp: pairs(entry.imports),
      i: within(entry.inner),
      min: undefined,
      el: opcode === Opcode.Tuple ? entry.elements.map((element) => this.#entry(element)) : undefined,
      ls: measured ? lengthSlot : undefined,
      m: measured && length.mask !== -1 ? length.mask : undefined,
      x: measured && length.times !== 1 ? length.times : undefined,
      p: measured && length.plus !== 0 ? length.plus : measured && lengthSlot === -1 ? 0 : undefined,
      cb: measured && length.claimedBy !== "" ? length.claimedBy : undefined,
      enc: entry.encoding === "utf16le" ? "utf16le" : undefined,
      und: entry.undeclared || undefined,
      ss: opcode === Opcode.Choice ? entry.selectorSlot : undefined,
      sm: entry.selectorMask === -1 ? undefined : entry.selectorMask,
      ch: entry.choices && new Map([...entry.choices].map(([value, one]) => [value, this.#entry(one)])),
      ot: within(entry.otherwise),
      cz: entry.compressed && conditionOf(entry.compressed),
      il: entry.compressed === undefined ? undefined : entry.inflatedLengthSlot,
      iln: inflatedLength,
      lit: literal,
      ten: field.tentative || undefined,
      left: field.leftOver || undefined,
      oc: within(entry.otherContent),
      on: field.otherForm?.note,
      fam: entry.family && this.#family(entry.family),
      base: entry.base && this.#struct(entry.base),
      cd: opcode === Opcode.Codec ? this.#plan(field) : undefined,
      ...(opcode === Opcode.Resolved && this.#resolver(entry)),
      ...(isArray(opcode) &&
        entry.inner && { i: { ...this.#entry(entry.inner), min: entry.inner.field.minimumWidth } }),
    };
  }

  #plan({ codec, kind }: Field): LuaValue {
    if (codec?.plan === undefined) this.left.add(kind);
    return planValue(codec?.plan ?? UNKNOWN_CODEC);
  }

  /** The twin of a resolver, and what it is given: types are entries of the same name as the field. */
  #resolver(entry: FieldEntry): { readonly [name: string]: LuaValue | undefined } {
    const { resolver, name } = entry.field;
    const twin = twinOf(resolver) ?? named(resolver && this.twins.resolvers.get(resolver));
    if (twin === undefined) {
      this.left.add(name);
      return {};
    }
    return { rv: twin.name, rd: twin.data && this.#data(twin.data(), (type) => resolvedAs(entry, type)) };
  }

  /** The twin of a function that makes a text of a struct, and what it is given. */
  #textOf(member: string, text: object | undefined): { readonly [name: string]: LuaValue | undefined } {
    const twin = twinOf(text) ?? named(text && this.twins.labels.get(text));
    if (twin === undefined) {
      if (text !== undefined) this.left.add(`texts of structs (${member})`);
      return {};
    }
    const entryIn = (type: Type<unknown>) => entryOf(new Field("", type.descriptor));
    return { [member]: twin.name, [`${member}d`]: twin.data && this.#data(twin.data(), entryIn) };
  }

  #data(data: TwinData, entryIn: (type: Type<unknown>) => FieldEntry): LuaValue {
    if (data instanceof Type) return this.#entry(entryIn(data));
    if (typeof data !== "object") return data;
    if (isList(data)) return data.map((value) => this.#data(value, entryIn));
    const members = Object.entries(data).map(([name, value]): [string, LuaValue | undefined] => [
      name,
      value === undefined ? undefined : this.#data(value, entryIn),
    ]);
    return Object.fromEntries(members);
  }

  /** What the numbers of a field mean: names by number, the name of a twin, or the kinds of things it refers to. */
  #meaning(meaning: Meaning | undefined, width: number): LuaValue | undefined {
    if (meaning === undefined) return undefined;
    const { form } = meaning;
    if (form === "reference") return { form, to: meaning.to };
    const described = form === "text" || form === "remark" ? meaning.describe : undefined;
    const twin = twinOf(described) ?? named(described && this.twins.labels.get(described));
    if (twin !== undefined) {
      const entryIn = (type: Type<unknown>) => entryOf(new Field("", type.descriptor));
      return { form, twin: twin.name, td: twin.data && this.#data(twin.data(), entryIn) };
    }
    const names = form === "enumeration" || form === "flags" ? meaning.names : namedNumbers(meaning.describe, width);
    if (names === undefined) {
      this.left.add(`labels of ${form}`);
      return { form };
    }
    return { form, names: numbered(this.#names, luaLiteral(names)) };
  }
}

function named(name: string | undefined): Twin | undefined {
  return name === undefined ? undefined : { name };
}

function isList(data: TwinData): data is readonly TwinData[] {
  return Array.isArray(data);
}

/** Returns the number of a thing, counted from 1; a new one is prepared first. */
function numbered<K>(numbers: Map<K, number>, key: K, prepare: (number: number) => void = () => {}): number {
  const known = numbers.get(key);
  if (known !== undefined) return known;
  const number = numbers.size + 1;
  numbers.set(key, number);
  prepare(number);
  return number;
}

function hasLength(opcode: Opcode): boolean {
  return opcode === Opcode.Bytes || opcode === Opcode.Text || opcode === Opcode.Array || opcode === Opcode.Region;
}

function conditionOf({ slot, test, mask, operand }: SlotCondition): LuaValue {
  return [slot, test, mask >>> 0, operand];
}

function pairs(copies: FieldEntry["exports"]): LuaValue | undefined {
  return copies.length === 0 ? undefined : copies.map(({ from, to }) => [from, to]);
}

function planValue({ form, length, parts }: CodecPlan): LuaValue {
  if (length === undefined) return { form, ...parts };
  const { opcode, kind, width, codec } = length;
  // What follows a length of unknown form cannot be found.
  if (codec !== undefined && codec.plan === undefined) return { form: UNKNOWN_CODEC.form };
  const inner = codec === undefined ? { kind: opcodeNames[opcode], width } : { kind, width };
  return { form, ...parts, length: { ...inner, codec: codec?.plan && planValue(codec.plan) } };
}
