import type { Dissector } from "../dissector/dissector.js";
import { messageFields, Vocabulary } from "../filter/index.js";
import { dissectors as builtIn } from "../pipeline/dissectors.js";

/** A name that filters and columns may use. */
export interface Name {
  readonly name: string;
  /** What it stands for; `message` for what every message has, whatever it contains. */
  readonly kind: "message" | "protocol" | "class" | "field" | "derived";
  /** What it means, if a declaration says so; of several with this name, the first. */
  readonly doc: string;
  /** The values that have names, for names that have such. */
  readonly values: readonly string[];
}

/** Every name that filters and columns may use, for completion: what messages have, protocols, classes and fields. */
export function vocabulary(dissectors: readonly Dissector[] = builtIn): readonly Name[] {
  const known = Vocabulary.of(dissectors);
  const names: Name[] = [...messageFields].map(([name, { doc, values = [] }]) => ({
    name,
    kind: "message",
    doc,
    values,
  }));
  for (const name of known.protocols) names.push({ name, kind: "protocol", doc: "", values: [] });
  for (const name of known.names()) {
    const term = known.get(name);
    // Of what has the name of something that every message has, that is meant.
    if (term === undefined || name === "" || messageFields.has(name)) continue;
    const { fields, structs, derived, isClass } = term;
    const values = new Set(
      [...fields].flatMap(({ meaning }) => (meaning && "names" in meaning ? [...meaning.names.values()] : [])),
    );
    const docs = [...[...structs].map(({ doc }) => doc), ...[...fields].map(({ doc }) => doc)];
    const kind = isClass ? "class" : fields.size > 0 ? "field" : "derived";
    if (isClass || fields.size > 0 || derived.length > 0) {
      names.push({ name, kind, doc: docs.find((doc) => doc !== "") ?? "", values: [...values] });
    }
  }
  return names;
}
