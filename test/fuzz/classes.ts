import { dissectors } from "../../src/index.js";
import { fieldJson } from "../../src/output/json/field-json.js";
import { givenFiles } from "../../src/platform/node/file-on-disk.js";
import { Decoder } from "../../src/schema/decode/decode.js";
import { Extent, type Window } from "../../src/schema/decode/window.js";
import { encode } from "../../src/schema/encode/encode.js";
import { plainValue } from "../../src/schema/encode/value.js";
import { viewOf } from "../../src/schema/language/byte-source.js";
import { Opcode } from "../../src/schema/language/opcode.js";
import { hex } from "../../src/schema/tree/leaf.js";
import { readDefinitionFiles } from "../../src/session/files/definition-files.js";
import type { Random } from "../support/random.js";
import type { Level } from "./level.js";
import { firstDifference, Mutator } from "./mutate.js";
import type { OutputCheck } from "./outputs.js";
import { descriptorsFile, generatedSeeds, indices, recordedSeeds, type Seed, vectorSeeds } from "./seeds.js";
import { checkTree, Finding, leavesBefore } from "./soundness.js";

const EXTENTS = [Extent.Exact, Extent.Exact, Extent.Cut, Extent.Open];

/** Foreign bytes around those that are decoded: a decoder that reads them gives itself away. */
const MARGIN = 4;

/** One input in this many is examined more closely, which costs more than decoding it. */
const TURNED_ROUND = 8;
const PRINTED = 64;
/** One input in this many is of deeply nested classes. */
const NESTED = 32;
const LONGEST_NESTED = 128 * 1024;

function windowOn(bytes: Uint8Array): Window {
  const all = new Uint8Array(bytes.length + 2 * MARGIN).fill(0xa5);
  all.set(bytes, MARGIN);
  return { bytes: all, view: viewOf(all), start: MARGIN, end: MARGIN + bytes.length };
}

/** Single values of declared types, decoded on their own. */
export class Classes implements Level {
  readonly name = "classes";
  input = "";
  readonly #decoder = new Decoder();
  readonly #mutator: Mutator;

  private constructor(
    readonly seeds: readonly Seed[],
    readonly outputs: OutputCheck,
    readonly settings: unknown,
  ) {
    this.#decoder.settings = settings;
    this.#mutator = new Mutator(
      seeds.map(({ bytes }) => bytes),
      indices,
    );
  }

  static async create(outputs: OutputCheck): Promise<Classes> {
    const { definitions } = await readDefinitionFiles(givenFiles([descriptorsFile]), dissectors, new Map());
    const moul = dissectors[0];
    const settings = moul?.settingsFor?.(definitions.get(moul) ?? []);
    const seeds = [...vectorSeeds(), ...(await recordedSeeds(6)), ...generatedSeeds(4)];
    return new Classes(
      seeds.filter(({ bytes }) => bytes.length > 0),
      outputs,
      settings,
    );
  }

  run(random: Random): number {
    const seed = random.pick(this.seeds);
    const bytes = random.below(NESTED) === 0 ? this.#nested(seed, random) : this.#mutator.mutated(seed.bytes, random);
    const extent = random.pick(EXTENTS);
    try {
      this.check(seed, bytes, extent, random);
    } catch (error) {
      this.input = `${seed.from}, extent ${extent}: ${hex(bytes)}`;
      throw error;
    }
    return bytes.length;
  }

  /** Decodes bytes and checks the result; the random numbers decide how closely. */
  check(seed: Seed, bytes: Uint8Array, extent: Extent, random?: Random): void {
    const decoder = this.#decoder;
    const { nodes } = decoder;
    if (!this.#decode(seed, bytes, extent)) {
      if (decoder.needed <= bytes.length) throw new Finding(`${decoder.needed} of ${bytes.length} bytes are needed`);
      return;
    }
    const { consumed } = decoder;
    if (consumed > bytes.length || (extent === Extent.Exact && consumed !== bytes.length)) {
      throw new Finding(`${consumed} of ${bytes.length} bytes were taken`);
    }
    checkTree(nodes);
    if (random === undefined) return;
    if (random.below(TURNED_ROUND) === 0) this.#turnRound(seed);
    if (random.below(PRINTED) === 0) this.outputs.value(seed.type, nodes);
    if (random.below(TURNED_ROUND) === 0) this.#compare(seed, bytes);
  }

  /** Repeats the bytes between the beginnings of two nested classes: classes in classes. */
  #nested(seed: Seed, random: Random): Uint8Array {
    const { nodes } = this.#decoder;
    this.#decode(seed, seed.bytes, Extent.Exact);
    const starts: number[] = [];
    for (let node = 0; node < nodes.count; node++) {
      const isClass = nodes.field(node).opcode === Opcode.Polymorphic && nodes.sourceIndexOf(node) === 0;
      if (isClass && nodes.startOf(node) > (starts.at(-1) ?? -1)) starts.push(nodes.startOf(node));
    }
    const from = random.below(Math.max(starts.length - 1, 1));
    const [start = 0, end = 0] = [starts[from], starts[from + 1 + random.below(starts.length - from)]];
    const level = seed.bytes.subarray(start, Math.max(start, end));
    const most = Math.floor(LONGEST_NESTED / Math.max(level.length, 1));
    const levels = Array.from({ length: Math.min(random.pick([2, 63, 64, 65, 5000]), most) }, () => level);
    return Buffer.concat([seed.bytes.subarray(0, start), ...levels, seed.bytes.subarray(start)]);
  }

  #decode({ type }: Seed, bytes: Uint8Array, extent: Extent): boolean {
    return this.#decoder.decode(type, windowOn(bytes), extent);
  }

  /** Checks that the value encodes to its original bytes, and that its JSON is well formed. */
  #turnRound({ type }: Seed): void {
    const { nodes, settings } = this.#decoder;
    JSON.parse(fieldJson(nodes, 0));
    const again = encode(type, plainValue(nodes, 0), { isPartial: nodes.outcome !== "ok", settings });
    if (Buffer.compare(again, nodes.bytes(0)) !== 0) throw new Finding(`encodes to ${hex(again)}`);
  }

  /** Checks that what the capture holds of an incomplete value is the same in the complete value. */
  #compare(seed: Seed, bytes: Uint8Array): void {
    const same = firstDifference(seed.bytes, bytes);
    const { nodes } = this.#decoder;
    this.#decode(seed, seed.bytes, Extent.Exact);
    // If a length is wrong, nothing is reported about its content; if the capture ends, it is.
    if (nodes.outcome === "malformed") return;
    const before = leavesBefore(nodes, same);
    this.#decode(seed, seed.bytes.subarray(0, same), Extent.Cut);
    const found = leavesBefore(nodes, same);
    for (const [index, leaf] of before.entries()) {
      if (found[index] !== leaf) throw new Finding(`cut at ${same}, ${leaf} becomes ${found[index]}`);
    }
  }
}
