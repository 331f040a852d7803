import { readdirSync, readFileSync } from "node:fs";
import type { DefinitionFile, KeyFile } from "../../src/dissector/dissector.js";
import { dissectors } from "../../src/index.js";
import { Decoder } from "../../src/schema/decode/decode.js";
import { Extent } from "../../src/schema/decode/window.js";
import { viewOf } from "../../src/schema/language/byte-source.js";
import { projectPath } from "../support/project-path.js";
import type { Random } from "../support/random.js";
import { sample } from "../support/samples.js";
import type { Level } from "./level.js";
import { Mutator } from "./mutate.js";
import { descriptorsFile, type Seed, vectorSeeds } from "./seeds.js";
import { checkTree, Finding } from "./soundness.js";

/** What may be a secret: long, and not a word. */
const SECRET = /(?=[A-Za-z+/]*\d)[\w+/]{16,}={0,2}/g;
const MOST_REMARKS = 50;

interface GivenFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly secrets: readonly string[];
}

/** Files given by a user or embedded in a capture: key material of every kind, and descriptors. */
export class GivenFiles implements Level {
  readonly name = "given";
  input = "";
  readonly #files = givenFiles();
  readonly #mutator = new Mutator(
    this.#files.map(({ bytes }) => bytes),
    [0, 1],
  );
  readonly #records: readonly Seed[] = vectorSeeds().filter(({ from }) => from.startsWith("sdl"));
  readonly #decoder = new Decoder();

  run(random: Random): number {
    const { name, bytes, secrets } = random.pick(this.#files);
    const changed = this.#mutator.mutated(bytes, random);
    this.input = `${name}: ${Buffer.from(changed).toString("hex")}`;
    for (const dissector of dissectors) {
      const keys = dissector.readKeys?.(name, changed);
      if (keys !== undefined) checkRemarks(keys, secrets);
      const definitions = dissector.readDefinitions?.(name, changed, keys === undefined ? [] : [keys], []);
      if (definitions === undefined) continue;
      checkRemarks(definitions, []);
      if (!definitions.recognised) continue;
      const { type, bytes: record } = random.pick(this.#records);
      this.#decoder.settings = dissector.settingsFor?.([definitions]);
      const window = { bytes: record, view: viewOf(record), start: 0, end: record.length };
      this.#decoder.decode(type, window, Extent.Exact);
      checkTree(this.#decoder.nodes);
    }
    return changed.length;
  }
}

function checkRemarks({ remarks }: KeyFile | DefinitionFile, secrets: readonly string[]): void {
  if (remarks.length > MOST_REMARKS) throw new Finding(`${remarks.length} remarks on one file`);
  for (const remark of remarks) {
    const told = secrets.find((secret) => remark.includes(secret));
    if (told !== undefined) throw new Finding(`a remark tells a secret: ${remark}`);
  }
}

function givenFiles(): GivenFile[] {
  const folders = [sample(), sample("keys/dirtsand"), sample("keys/nagus"), projectPath("test/fixtures/keys/moss")];
  const paths = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.(keys|ini|der|pem)$/.test(name))
      .map((name) => `${folder}/${name}`),
  );
  return [...paths, descriptorsFile].map((path) => {
    const bytes = new Uint8Array(readFileSync(path));
    const name = path.split("/").at(-1) ?? path;
    return { name, bytes, secrets: Buffer.from(bytes).toString("latin1").match(SECRET) ?? [] };
  });
}
