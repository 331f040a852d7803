import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { dissectors } from "../../src/index.js";
import { isSensitiveBy } from "../../src/schema/language/sensitive.js";
import type { Struct } from "../../src/schema/language/struct.js";
import type { TypeDescriptor } from "../../src/schema/language/type.js";

const LIST = new URL("harmless.txt", import.meta.url);

/** Fields by path and kind, each with the structs that have it: several may have the same name. */
class Fields {
  readonly #owners = new Map<string, Set<Struct | undefined>>();

  add(field: string, owner: Struct | undefined): void {
    this.#owners.set(field, (this.#owners.get(field) ?? new Set()).add(owner));
  }

  get size(): number {
    return this.#owners.size;
  }

  /** One line each. Where several structs have a field, their number shows that it was decided about each of them. */
  lines(): string[] {
    const lines = [...this.#owners].map(([field, { size }]) => (size > 1 ? `${field}, in ${size} structs` : field));
    return lines.sort();
  }
}

/**
 * Collects the fields that can reveal something: texts, bytes, UUIDs, packed numbers, and numbers that identify
 * somebody.
 */
class Declarations {
  readonly #seen = new Set<Struct>();
  readonly harmless = new Fields();
  readonly marked = new Fields();

  struct(struct: Struct): void {
    if (this.#seen.has(struct)) return;
    this.#seen.add(struct);
    if (struct.base !== undefined) this.struct(struct.base);
    for (const [name, descriptor] of struct.descriptors) {
      if (struct.base?.descriptors.has(name) !== true) this.descriptor(`${struct.name}.${name}`, descriptor, struct);
    }
  }

  descriptor(path: string, descriptor: TypeDescriptor, owner?: Struct): void {
    const { struct, family, element, content, elements = [], choices, otherwise } = descriptor;
    // Groups have no name of their own.
    if (struct?.name === "")
      for (const [name, inner] of struct.descriptors) this.descriptor(`${path}.${name}`, inner, owner);
    else if (struct !== undefined) this.struct(struct);
    for (const declared of family?.classes() ?? []) this.struct(declared);
    const inner = [element, content, otherwise, ...elements, ...(choices?.values() ?? [])];
    for (const one of inner) if (one !== undefined) this.descriptor(path, one, owner);
    if (!tells(descriptor)) return;
    const { kind, sensitive } = descriptor;
    if (isHarmless(sensitive)) this.harmless.add(`${path} ${kind}`, owner);
    else this.marked.add(`${path} ${kind}`, owner);
    if (sensitive === undefined || !isSensitiveBy(sensitive)) return;
    for (const [number, own] of sensitive.kinds) {
      const isNumber = /^u\d/.test(kind);
      if (isHarmless(own) && !isNumber) this.harmless.add(`${path} ${kind}, ${sensitive.by} ${number}`, owner);
    }
  }
}

function isHarmless(sensitive: TypeDescriptor["sensitive"]): boolean {
  return sensitive === undefined || sensitive === "public";
}

function tells({ kind, codec, width, meaning }: TypeDescriptor): boolean {
  if (codec !== undefined) return !/^(?:hex16|decimal)$/.test(kind);
  return /bytes|text|utf|uuid/i.test(kind) || (width >= 4 && /^(?:text|reference)$/.test(meaning?.form ?? ""));
}

const declarations = new Declarations();
for (const { types, messages, otherForms } of dissectors) {
  for (const { descriptor } of types.values()) declarations.descriptor("", descriptor);
  for (const { c2s, s2c } of messages?.values() ?? [])
    for (const { struct } of [...c2s, ...s2c]) declarations.struct(struct);
  for (const { struct } of otherForms?.() ?? []) declarations.struct(struct);
}

describe("what fields reveal", () => {
  it("is marked, or known to be harmless: whoever adds a field decides, and puts harmless ones in harmless.txt", () => {
    const known = readFileSync(LIST, "utf8")
      .split(/\r?\n/)
      .filter((line) => line !== "");
    const found = declarations.harmless.lines();
    const undecided = found.filter((line) => !known.includes(line));
    expect(undecided, "to be marked with .sensitive(KIND), or to be listed in test/dissectors/harmless.txt").toEqual(
      [],
    );
    const gone = known.filter((line) => !found.includes(line));
    expect(gone, "to be removed from test/dissectors/harmless.txt").toEqual([]);
    expect(declarations.marked.size).toBeGreaterThan(150);
  });
});
