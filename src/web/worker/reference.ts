import { declaredSources } from "virtual:declared-sources";
import type { Dissector } from "../../dissector/dissector.js";
import type { Declared } from "../../output/text/declared.js";
import { declaredTypes } from "../../reference/declared-types.js";
import { declaredUnder } from "../../reference/declared-under.js";
import { isFamily, isField, partsOf } from "../../schema/describe/declared-parts.js";
import { type FieldFact, ownFacts } from "../../schema/describe/field-list.js";
import type { Struct } from "../../schema/language/struct.js";
import type { LayoutField, ReferenceEntry, ReferencePage } from "../session-api.js";

/** Everything that dissectors declare, as pages that refer to each other. */
export class Reference {
  readonly #entries: readonly ReferenceEntry[];
  readonly #users = new Map<string, Set<string>>();

  constructor(readonly dissectors: readonly Dissector[]) {
    const { declared } = declaredUnder(undefined, dissectors);
    for (const { struct } of declared) this.#noteUses(struct);
    this.#entries = declared
      .filter(({ struct }) => struct.name !== "")
      .map(entryOf)
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  get entries(): readonly ReferenceEntry[] {
    return this.#entries;
  }

  /** @param example number of a message that has it */
  page(name: string, example: number | undefined): ReferencePage | undefined {
    const { declared, isPage } = declaredUnder(name, this.dissectors);
    const [found] = declared;
    if (found === undefined) return undefined;
    const sources = declaredSources.get(name) ?? [];
    const usedBy = [...(this.#users.get(name) ?? [])].sort();
    const members = isPage && found.struct.name === name ? [] : declared;
    if (members.length > 0) {
      const fields = members.map(({ struct }) => memberOf(struct));
      const about = { name, protocol: found.protocol, directions: [], doc: "One of these." };
      return { ...about, sources, fields, usedBy, example };
    }
    const fields = ownFacts(found.struct).map((fact) => this.#layoutField(fact));
    return { ...entryOf(found), sources, fields, usedBy, example };
  }

  #layoutField(fact: FieldFact): LayoutField {
    const { path, kind, bytes = "", count = "", when = "", meaning, names = [], doc } = fact;
    const refers = declaredTypes(this.dissectors).has(kind) ? kind : undefined;
    return { path, kind, bytes: String(bytes), count: String(count), when, meaning, names, doc, refers };
  }

  #noteUses(user: Struct): void {
    const seen = new Set<unknown>();
    const visit = (part: Parameters<typeof partsOf>[0]) => {
      for (const inner of partsOf(part)) {
        if (seen.has(inner)) continue;
        seen.add(inner);
        if (isField(inner)) visit(inner);
        else if (isFamily(inner) || inner.name !== "") this.#add(inner.name, user.name);
        else visit(inner);
      }
    };
    visit(user);
  }

  #add(name: string, user: string): void {
    if (name === user || user === "") return;
    const users = this.#users.get(name) ?? new Set();
    users.add(user);
    this.#users.set(name, users);
  }
}

function entryOf({ struct, protocol, directions }: Declared): ReferenceEntry {
  return { name: struct.name, protocol, directions, doc: struct.doc };
}

function memberOf({ name, tag, doc }: Struct): LayoutField {
  const number = tag === undefined ? "" : String(tag);
  return { path: number, kind: name, bytes: "", count: "", when: "", meaning: "", names: [], doc, refers: name };
}
