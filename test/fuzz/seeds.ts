import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { plCreatable } from "../../dissectors/moul/creatables.js";
import { dissectCaptures, dissectors } from "../../src/index.js";
import { encode } from "../../src/schema/encode/encode.js";
import { StructType, type Type } from "../../src/schema/index.js";
import { randomValue } from "../schema/support/random-value.js";
import { projectPath } from "../support/project-path.js";
import { Random } from "../support/random.js";
import { SAMPLES, sample } from "../support/samples.js";

/** The captures among the samples, except those with the same traffic as another one. */
export const samples: readonly string[] = SAMPLES.filter((name) => !name.includes(".any."));

export const descriptorsFile = projectPath("test/vectors/descriptors.sdl");

/** Bytes of a type. */
export interface Seed {
  /** Where they come from. */
  readonly from: string;
  readonly type: Type<unknown>;
  readonly bytes: Uint8Array;
}

/** Every type by its name, and what conversations consist of. */
export const types: ReadonlyMap<string, Type<unknown>> = new Map(
  [...dissectors]
    .reverse()
    .flatMap(({ types, messages }): (readonly [string, Type<unknown>])[] => [
      ...[...(messages?.values() ?? [])].flatMap(({ c2s, s2c }) =>
        [...c2s, ...s2c].map((type) => [type.struct.name, type] as const),
      ),
      ...types,
    ]),
);

/** Class indices and message types: the numbers that say what follows. */
export const indices: readonly number[] = [
  ...new Set([
    0x8000,
    ...[...plCreatable.classes()].map(({ tag = 0 }) => tag),
    ...Array.from({ length: 64 }, (_, n) => n),
  ]),
];

/** Bytes written by another implementation. */
export function vectorSeeds(): Seed[] {
  const folder = projectPath("test/vectors");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => {
      const lines = readFileSync(join(folder, name), "utf8").trim().split("\n");
      return lines.flatMap((line) => {
        const { class: className, classIndex, hex } = JSON.parse(line);
        const type = types.get(name.startsWith("sdl") ? "sdl" : classIndex === null ? className : "plCreatable");
        return type === undefined ? [] : [{ from: name, type, bytes: new Uint8Array(Buffer.from(hex, "hex")) }];
      });
    });
}

/** Bytes of every declared type, generated from its declaration. */
export function generatedSeeds(each: number): Seed[] {
  return [...types].flatMap(([name, type], index) =>
    Array.from({ length: each }, (_, time) => {
      const random = new Random(1000 * index + time);
      return {
        from: `generated ${name}`,
        type,
        bytes: encode(type, randomValue(type, random, time)),
      };
    }),
  );
}

/** Recorded messages, only some of each type. */
export async function recordedSeeds(each: number): Promise<Seed[]> {
  const found = new Map<string, Seed[]>();
  for (const name of samples) {
    await dissectCaptures([sample(name)], { keys: keysOf(name) }, ({ nodes }) => {
      const struct = nodes?.field(0).struct;
      // Undeclared types are created on the fly, and fit only the bytes in which they were found.
      if (nodes === undefined || struct === undefined || !types.has(struct.name)) return;
      const some = found.get(struct.name) ?? [];
      found.set(struct.name, some);
      if (some.length < each) some.push({ from: name, type: new StructType(struct), bytes: nodes.bytes(0).slice() });
    });
  }
  return [...found.values()].flat();
}

/** The key files of a sample. */
export function keysOf(name: string): string[] {
  const path = sample(name.replace(/\.pcap(ng)?$/, ".keys"));
  return existsSync(path) ? [path] : [];
}
