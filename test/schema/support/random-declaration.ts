import {
  array,
  atLeast,
  below,
  bool,
  bytes,
  type Condition,
  choice,
  derive,
  enumeration,
  equals,
  Family,
  flag,
  flags,
  group,
  i8,
  isFalse,
  isTrue,
  type Length,
  masked,
  notEquals,
  type OptionalBy,
  optionalBy,
  polymorphic,
  prefixed,
  remarked,
  rest,
  type StructOptions,
  type StructType,
  struct,
  type Type,
  terminated,
  text,
  tuple,
  u8,
  undeclared,
  usually,
  utf16,
  uuid,
  within,
} from "../../../src/schema/index.js";
import * as be from "../../../src/schema/words/big-endian.js";
import * as le from "../../../src/schema/words/little-endian.js";
import type { Random } from "../../support/random.js";
import { asciiText, pascalText, shortVarint, varint } from "./codecs.js";

type Members = Record<string, Type<unknown, boolean>>;

const narrow: readonly Type<number>[] = [u8, i8, le.u16, be.u16, le.i16, be.i16, le.u32, be.u32, le.i32, be.i32];
const counts: readonly Type<number>[] = [u8, i8, le.u16, be.u16, be.i16, le.u32, be.u32, le.i32];
const blobs: readonly Type<unknown>[] = [prefixed(shortVarint, bytes), prefixed(le.u16, bytes, { mask: 0x0fff })];
const leaves: readonly Type<unknown>[] = [
  ...narrow,
  le.u64,
  be.u64,
  le.i64,
  be.i64,
  le.f32,
  be.f32,
  le.f64,
  be.f64,
  bool,
  le.bool32,
  uuid,
  bytes(1),
  bytes(5),
  text(4),
  utf16(6),
  pascalText,
  asciiText,
  prefixed(u8, text),
  prefixed(be.u16, utf16, { times: 2 }),
  prefixed(le.i32, utf16, { endsWithZero: true, plus: -4 }),
  prefixed(varint, text, { plus: -1 }),
  terminated(text),
  terminated(utf16),
  enumeration(u8, { kZero: 0, kOne: 1 }),
  flags(be.u16, { kLow: 1, kHigh: 0x8000 }),
  flags(le.i32, { kLow: 1, kTop: 1 << 31 }),
  remarked(le.u16, (value) => (value > 5 ? "large" : undefined)),
];

/** The state of a struct under construction. */
interface Sketch {
  readonly members: Members;
  readonly controls: Controls;
}

/** Fields and paths that conditions may test, each with the type of its number. */
type Controls = Map<string, Type<unknown>>;

/**
 * A struct of any kind that the language can declare.
 *
 * @param depth how deeply structs may be nested
 * @param closed its bytes determine its end: there is no `rest` outside of a region
 */
export function randomStruct(random: Random, depth: number, closed: boolean): StructType<unknown> {
  return new Declarer(random).struct(depth, closed);
}

class Declarer {
  #names = 0;

  constructor(readonly random: Random) {}

  struct(depth: number, closed: boolean, options: StructOptions = {}): StructType<unknown> {
    const name = this.#name("S");
    const sketch: Sketch = { members: {}, controls: new Map() };
    if (depth <= 0 || !this.random.chance(2)) return struct(name, this.#fill(sketch, depth, closed), options);
    const base = struct(name, this.#fill(sketch, 0, true));
    const { controls } = sketch;
    return derive(this.#name("D"), base, this.#fill({ members: {}, controls }, depth, closed), options);
  }

  #name(prefix: string): string {
    return `${prefix}${this.#names++}`;
  }

  #fill(sketch: Sketch, depth: number, closed: boolean): Members {
    for (let times = this.random.below(6); times >= 0; times--) this.#add(sketch, depth);
    if (!closed && this.random.chance(3)) sketch.members[this.#name("rest")] = this.#rest();
    return sketch.members;
  }

  #add(sketch: Sketch, depth: number): void {
    const { random } = this;
    const { members, controls } = sketch;
    const name = this.#name("f");
    const conditions = this.#conditions(controls);
    const optional = this.#optional(controls);
    const when = (type: Type<unknown, boolean>) => {
      if (optional !== undefined) return optional(type, "Bit");
      return conditions.length === 0 ? type : type.when(...conditions);
    };
    switch (random.below(depth > 0 ? 13 : 6)) {
      case 0:
      case 1:
        members[name] = when(random.pick([...leaves, ...blobs]));
        return;
      case 2: {
        const type = random.pick([...narrow, bool, le.bool32]);
        members[name] = when(type);
        controls.set(name, type);
        return;
      }
      case 3:
        this.#counted(members, name, when);
        return;
      case 4:
        members[name] = when(tuple(random.list(random.below(3), () => random.pick(leaves))));
        return;
      case 5: {
        const element = random.pick(narrow);
        members[name] = when(array(element, 1 + random.below(3)));
        controls.set(name, element);
        return;
      }
      case 6: {
        const inner = this.struct(depth - 1, true);
        members[name] = when(inner);
        // Not the lengths, which the encoder has to compute.
        for (const [field, descriptor] of inner.struct.descriptors) {
          const type = narrow.find((one) => one.descriptor === descriptor);
          if (field.startsWith("f") && type !== undefined) controls.set(`${name}.${field}`, type);
        }
        return;
      }
      case 7:
        members[name] = when(polymorphic(this.#family(depth)));
        return;
      case 8:
        this.#choice(members, name, depth, when);
        return;
      case 9:
        this.#compressed(members, name, depth, when);
        return;
      case 10: {
        // Its fields may depend on those around it.
        const grouped = group(this.#fill({ members: {}, controls: new Map(controls) }, depth - 1, true));
        members[name] = when(random.pick([grouped, array(grouped, 2), tuple([u8, grouped])]));
        return;
      }
      default: {
        const count = this.#name("n");
        members[count] = when(random.pick([le.u16, be.u32, le.i32]));
        const length: Length = random.chance(7) ? count : { field: count, plus: -2 };
        const content = this.#content(depth);
        members[name] = when(random.chance(7) ? within(length, content) : usually(length, content));
      }
    }
  }

  /** What makes a field depend on the first bit of a number, sometimes. */
  #optional(controls: Controls): OptionalBy<{ Bit: number }> | undefined {
    const { random } = this;
    if (controls.size === 0 || !random.chance(1)) return undefined;
    const [control] = random.pick([...controls]);
    return optionalBy(control, { Bit: 1 });
  }

  /** Conditions that may hold or not. */
  #conditions(controls: Controls): Condition[] {
    const { random } = this;
    if (controls.size === 0 || !random.chance(4)) return [];
    return random.list(1 + random.below(2), () => {
      const [control, type] = random.pick([...controls]);
      const number = random.below(4);
      const bit = number & 1;
      const isBoolean = !narrow.some((one) => one === type);
      if (isBoolean) return random.pick([isTrue(control), isFalse(control), equals(control, bit), flag(control, 1)]);
      return random.pick([
        atLeast(control, 1 + number),
        below(control, 1 + number),
        flag(control, 1 << random.below(3)),
        ...(type.descriptor.width === 4 ? [flag(control, 1 << 31)] : []),
        masked(control, 3, number),
        equals(control, number),
        notEquals(control, number),
        isTrue(control),
        isFalse(control),
      ]);
    });
  }

  #counted(members: Members, name: string, when: (type: Type<unknown>) => Type<unknown, boolean>): void {
    const { random } = this;
    const count = this.#name("n");
    members[count] = when(random.pick(counts));
    const length = random.pick<Length>([count, { field: count, times: 2 }, { field: count, plus: 1 }]);
    const make = random.pick<() => Type<unknown>>([
      () => bytes(length),
      () => text(length),
      () => utf16({ field: count, times: 2 }),
      () => array(random.pick(leaves), length),
      () => array(this.struct(0, true), length),
    ]);
    members[name] = when(make());
  }

  #choice(
    members: Members,
    name: string,
    depth: number,
    when: (type: Type<unknown, boolean>) => Type<unknown, boolean>,
  ): void {
    const { random } = this;
    const selector = this.#name("k");
    members[selector] = random.pick(narrow);
    const one = () => random.pick([() => random.pick(leaves), () => this.struct(depth - 1, true)])();
    const choices = Object.fromEntries(random.list(1 + random.below(3), () => [random.below(4), one()]));
    const by = random.chance(7) ? selector : { field: selector, mask: 3 };
    members[name] = when(random.chance(5) ? choice(by, choices) : choice(by, choices, one()));
  }

  #compressed(
    members: Members,
    name: string,
    depth: number,
    when: (type: Type<unknown, boolean>) => Type<unknown, boolean>,
  ): void {
    const { random } = this;
    const [how, length, size] = [this.#name("how"), this.#name("n"), this.#name("n")];
    const literal = random.below(3);
    members[how] = flags(u8, { kZlib: 1 });
    members[length] = when(le.u32);
    members[size] = when(le.u32);
    const content = derive(
      this.#name("D"),
      struct(this.#name("S"), { literal: bytes(2) }),
      this.#fill({ members: {}, controls: new Map() }, depth - 1, false),
    );
    members[name] = when(within(size, content, { when: flag(how, 1), literal, inflatedLength: length }));
  }

  #content(depth: number): Type<unknown> {
    const { random } = this;
    return random.pick<() => Type<unknown>>([
      () => this.struct(depth - 1, false),
      () => this.struct(depth - 1, false),
      () => polymorphic(this.#family(depth)),
      () => tuple([random.pick(leaves), this.struct(depth - 1, true)]),
      () => random.pick(leaves),
      () => this.#rest(),
    ])();
  }

  /** All remaining bytes. */
  #rest(): Type<unknown> {
    const { random } = this;
    const element = struct(this.#name("S"), { first: random.pick(leaves), second: random.pick(leaves) });
    return random.pick([
      bytes(rest),
      text(rest),
      utf16(rest),
      terminated(text, { zeroMayBeMissing: true }),
      terminated(utf16, { zeroMayBeMissing: true }),
      array(random.pick(leaves), rest),
      array(element, rest),
      undeclared("Nobody knows it."),
    ]);
  }

  #family(depth: number): Family {
    const { random } = this;
    const name = this.#name("family");
    const nullTag = random.chance(5) ? 5 : undefined;
    const tagType = random.pick([...narrow, shortVarint]);
    const family = new Family(name, "tag", tagType, { nullTag, names: new Map([[7, "Known"]]) });
    for (let tag = random.below(3); tag >= 0; tag--) family.register(this.struct(depth - 1, true, { tag }));
    return family;
  }
}
