import type { Dissector } from "../dissector/dissector.js";
import { type Declared, isIn, isWanted, type WantedFields } from "../output/text/declared.js";
import { ancestry, isFamily, isStruct, reachable } from "../schema/describe/declared-parts.js";
import { fieldFacts, ownFacts } from "../schema/describe/field-list.js";
import { Opcode } from "../schema/language/opcode.js";
import type { Struct } from "../schema/language/struct.js";
import { declaredTypes } from "./declared-types.js";

/** What is declared under a name. */
interface DeclaredUnder {
  /** Each of them once, messages before classes; empty if the name is unknown. */
  readonly declared: readonly Declared[];
  /** True if each of them, or a field of each, has that name itself; false if they only belong to what has it. */
  readonly isPage: boolean;
}

/**
 * Finds what a name stands for: all that a dissector declares; the messages of a protocol, with the classes that they
 * can hold; a message, class, type or family; or else the structs that have fields of that name, or values with that
 * name. Without a name, everything.
 */
export function declaredUnder(name: string | undefined, dissectors: readonly Dissector[]): DeclaredUnder {
  const belonging = dissectors.flatMap((dissector) => declaredBy(dissector, name));
  if (name === undefined || belonging.length > 0) return { declared: belonging, isPage: false };
  const all = dissectors.flatMap((dissector) => declaredBy(dissector, undefined));
  const descriptors = dissectors.flatMap(({ types }) => types.get(name)?.descriptor ?? []);
  // Of several messages with one name, each is a type of its own.
  const ofType = new Set(descriptors.map(({ struct }) => struct));
  const each = everyStruct(dissectors);
  // Groups of fields have no name, but an empty name does not ask for them.
  const found = each.filter(({ struct }) => ofType.has(struct) || (struct.name === name && name !== ""));
  if (found.length > 0) return { declared: found, isPage: true };
  const members = new Set(descriptors.flatMap(({ family }) => [...(family?.classes() ?? [])]));
  const ofFamily = all.filter(({ struct }) => members.has(struct));
  if (ofFamily.length > 0) return { declared: ofFamily, isPage: false };
  const holders = holdersOf({ by: "name", name }, each);
  return { declared: holders.length > 0 ? holders : holdersOf({ by: "value", name }, each), isPage: true };
}

/** What has a word, or a part of one, in its name or its docs, each with the fields of which that is true. */
export function declaredAbout(word: string, dissectors: readonly Dissector[]): Declared[] {
  return everyStruct(dissectors).flatMap((one) => {
    const { name, doc, base } = one.struct;
    const wanted: WantedFields = { by: "word", name: word };
    const says = (struct: Struct) => ownFacts(struct).some((fact) => isWanted(fact, wanted));
    const isNew = says(one.struct) && (base === undefined || !says(base));
    return name !== "" && (isIn(word, name) || isIn(word, doc) || isNew) ? [{ ...one, wanted }] : [];
  });
}

/** Each message and class, and what is only a part of them; one that is both counts as a message or class. */
function everyStruct(dissectors: readonly Dissector[]): Declared[] {
  const all = dissectors.flatMap((dissector) => declaredBy(dissector, undefined));
  return [...new Map([...dissectors.flatMap(partsOf), ...all].map((one) => [one.struct, one])).values()];
}

/** The structs that have such fields, other than those that have them from a base. */
function holdersOf(wanted: WantedFields, each: readonly Declared[]): Declared[] {
  const has = (struct: Struct) => ownFacts(struct).some((fact) => isWanted(fact, wanted));
  return each
    .filter(({ struct }) => struct.name !== "" && has(struct) && (struct.base === undefined || !has(struct.base)))
    .map((one) => ({ ...one, wanted }));
}

/** The names of all values and flags. */
export function valueNames(dissectors: readonly Dissector[]): Set<string> {
  const structs = dissectors.flatMap((dissector) => declaredBy(dissector, undefined).map(({ struct }) => struct));
  const values = structs.flatMap((struct) => [...fieldFacts(struct)].flatMap(({ names = [] }) => names));
  return new Set(values.map(({ name }) => name));
}

/** The names of all dissectors and their protocols, each once. */
export function protocolNames(dissectors: readonly Dissector[]): string[] {
  return [...new Set(dissectors.flatMap(({ name, protocols }) => [name, ...protocols]))];
}

/** The names of all messages, classes, families and types. */
export function declaredNames(dissectors: readonly Dissector[]): string[] {
  return [...declaredTypes(dissectors).keys()];
}

/** What a dissector declares; for one protocol, its messages and the classes that they can hold. */
function declaredBy({ name, types, messages = new Map() }: Dissector, wanted: string | undefined): Declared[] {
  const found = new Map<Struct, { protocol: string; directions: Set<string> }>();
  for (const [protocol, directions] of messages) {
    // The list for one protocol has all of its messages, including those that it shares with others.
    if (wanted !== undefined && wanted !== name && wanted !== protocol) continue;
    for (const [direction, list] of Object.entries(directions)) {
      for (const { struct } of list) {
        const known = found.get(struct);
        if (known === undefined) found.set(struct, { protocol, directions: new Set([direction]) });
        else if (known.protocol === protocol) known.directions.add(direction);
      }
    }
  }
  const isWhole = wanted === undefined || wanted === name;
  for (const struct of isWhole ? classesOf(types) : classesIn([...found.keys()])) {
    if (!found.has(struct)) found.set(struct, { protocol: name, directions: new Set() });
  }
  return [...found].map(([struct, { protocol, directions }]) => ({ protocol, struct, directions: [...directions] }));
}

function classesOf(types: Dissector["types"]): Struct[] {
  return [...types.values()].flatMap(
    ({ descriptor }) => (descriptor.opcode === Opcode.Polymorphic ? descriptor.base : descriptor.struct) ?? [],
  );
}

/** The classes of all families that values of some structs can hold. */
function classesIn(structs: readonly Struct[]): Struct[] {
  return [...reachable(structs)].filter(isFamily).flatMap((family) => [...family.classes()]);
}

/** Structs that are declared only as parts or bases of others. */
function partsOf({ name, types }: Dissector): Declared[] {
  const structs = [...reachable(classesOf(types))].filter(isStruct).flatMap((struct) => [...ancestry(struct)]);
  return structs.map((struct) => ({ protocol: name, struct, directions: [] }));
}
