import { defaultLimits } from "../../src/limits.js";
import { dissectors } from "../../src/pipeline/dissectors.js";
import { Decoder } from "../../src/schema/decode/decode.js";
import type { Type } from "../../src/schema/language/type.js";
import { NotCompiled } from "../../src/schema/skim/code.js";
import { factoryKey, madeOfStrings, takeFactoriesFrom } from "../../src/schema/skim/factories.js";
import { Generator } from "../../src/schema/skim/generator.js";
import { Kept, Outline } from "../../src/schema/skim/kept.js";
import type { Manner } from "../../src/schema/skim/linker.js";
import { Programs } from "../../src/schema/skim/programs.js";
import { SkimState } from "../../src/schema/skim/skim-state.js";
import { withTag } from "../../src/schema/table/compile.js";
import type { FieldEntry, StructTable } from "../../src/schema/table/struct-table.js";

/** The tables of all types of a message. */
class Roots extends Decoder {
  tableOf(type: Type<unknown, boolean>): StructTable | undefined {
    return this.rootOf(type).table;
  }
}

const MANNERS: readonly Manner[] = (["bounded", "open"] as const).flatMap((ending) =>
  (["parts", "whole"] as const).map((keep) => ({ ending, keep })),
);

/** Notes all tables that code refers to. */
class Following extends Programs {
  readonly found = new Set<StructTable>();

  override ofTable(table: StructTable, manner: Manner): ReturnType<Programs["ofTable"]> {
    this.found.add(table);
    return super.ofTable(table, manner);
  }

  override classesOf(entry: FieldEntry, manner: Manner): ReturnType<Programs["classesOf"]> {
    for (const { tag } of entry.family?.classes() ?? []) {
      const table = tag === undefined ? undefined : withTag(entry, tag)?.table;
      if (table !== undefined) this.found.add(table);
    }
    return super.classesOf(entry, manner);
  }
}

/** The code of one function, and the names of what it refers to. */
interface Code {
  readonly names: readonly string[];
  readonly code: string;
}

/** The code that skims all declared types, for readers that ask for nothing in particular, by its key. */
function everyCode(): ReadonlyMap<string, Code> {
  const all = new Map<string, Code>();
  takeFactoriesFrom((names, code) => {
    all.set(factoryKey(names, code), { names, code });
    return madeOfStrings(names, code);
  });
  const roots = new Roots(defaultLimits);
  const types = dissectors.flatMap((dissector) => [...dissector.types.values()]);
  const tables = types.map((type) => roots.tableOf(type)).filter((table) => table !== undefined);
  for (const outline of Object.values(Outline)) {
    const { nodes, depth, notes } = defaultLimits;
    const programs = new Following(new SkimState(nodes, depth, notes), new Kept([], outline));
    for (const table of tables) programs.found.add(table);
    // More are found meanwhile.
    for (const table of programs.found) for (const manner of MANNERS) compile(programs, table, manner);
  }
  return all;
}

function compile(programs: Programs, table: StructTable, manner: Manner): void {
  try {
    new Generator(programs).struct(table, manner);
  } catch (error) {
    if (!(error instanceof NotCompiled)) throw error;
  }
}

/** The text of a module that exports what makes these functions. */
export function moduleText(): string {
  const entries = [...everyCode()].map(([key, { names, code }]) => {
    return `["${key}", (${["state", ...names].join(", ")}) => {\n${code}\n}],\n`;
  });
  return `export const factories = new Map([\n${entries.join("")}]);\n`;
}
