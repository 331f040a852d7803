import { describe, expectTypeOf, it } from "vitest";
import { encode } from "../../src/schema/encode/encode.js";
import {
  array,
  bool,
  bytes,
  choice,
  derive,
  flags,
  type Infer,
  isTrue,
  polymorphic,
  struct,
  text,
  tuple,
  u8,
  usually,
  type uuid,
  within,
} from "../../src/schema/index.js";
import { f32, u32, u64 } from "../../src/schema/words/little-endian.js";
import type { pascalText } from "./support/codecs.js";
import { animals } from "./support/families.js";

const point = struct("Point", { x: f32, y: f32 });

describe("the type of a value", () => {
  it("is that of its leaf", () => {
    expectTypeOf<Infer<typeof u8>>().toEqualTypeOf<number>();
    expectTypeOf<Infer<typeof u64>>().toEqualTypeOf<bigint>();
    expectTypeOf<Infer<typeof bool>>().toEqualTypeOf<boolean | number>();
    expectTypeOf<Infer<typeof uuid>>().toEqualTypeOf<string>();
    expectTypeOf<Infer<typeof pascalText>>().toEqualTypeOf<string>();
    const flagSet = flags(u64, { kOne: 1 });
    expectTypeOf<Infer<typeof flagSet>>().toEqualTypeOf<bigint>();
  });

  it("has the members of a struct, of its base class, and those that may be absent", () => {
    const type = derive("Labelled", point, { has: bool, label: text(8).when(isTrue("has")).doc("Its name.") });
    expectTypeOf<Infer<typeof type>>().toExtend<{ x: number; y: number; has: boolean | number; label?: string }>();
    expectTypeOf<{ x: number; y: number; has: boolean }>().toExtend<Infer<typeof type>>();
    expectTypeOf<{ x: number; y: number }>().not.toExtend<Infer<typeof type>>();
    expectTypeOf<{ x: number; y: string; has: boolean }>().not.toExtend<Infer<typeof type>>();
  });

  it("covers arrays, regions and choices", () => {
    const type = struct("S", {
      n: u32,
      list: array(point, "n"),
      pair: tuple([u8, point]),
      inside: within("n", point),
      maybe: usually("n", point),
      one: choice("n", { 1: u8, 2: point }),
      other: choice("n", { 1: u8 }, bytes(2)),
      pet: polymorphic(animals),
    });
    type Value = Infer<typeof type>;
    expectTypeOf<Value["list"]>().toEqualTypeOf<{ x: number; y: number }[]>();
    expectTypeOf<Value["pair"]>().toEqualTypeOf<unknown[]>();
    expectTypeOf<Value["inside"]>().toEqualTypeOf<{ x: number; y: number } | undefined>();
    expectTypeOf<Value["maybe"]>().toEqualTypeOf<{ x: number; y: number } | Uint8Array | undefined>();
    expectTypeOf<Value["one"]>().toEqualTypeOf<number | { x: number; y: number }>();
    expectTypeOf<Value["other"]>().toEqualTypeOf<number | Uint8Array>();
    expectTypeOf(null).toExtend<Value["pet"]>();
  });

  it("is what the encoder accepts", () => {
    expectTypeOf(encode<{ x: number; y: number }>)
      .parameter(1)
      .toEqualTypeOf<{ x: number; y: number }>();
    // @ts-expect-error: y is missing, which only a value of unknown type may leave to the encoder
    expectTypeOf(() => encode(point, { x: 1 })).toBeFunction();
    // @ts-expect-error: elements that may be absent are not elements
    expectTypeOf(() => array(u8.when(isTrue("n")), 2)).toBeFunction();
  });
});
