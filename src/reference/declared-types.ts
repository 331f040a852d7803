import type { Dissector, OtherReading } from "../dissector/dissector.js";
import { ancestry, isFamily, isStruct, reachable } from "../schema/describe/declared-parts.js";
import { polymorphic } from "../schema/index.js";
import { Field } from "../schema/language/field.js";
import { type Struct, StructType } from "../schema/language/struct.js";
import type { Type } from "../schema/language/type.js";

/** A type that a dissector declares. */
export interface DeclaredType {
  readonly typeName: string;
  readonly type: Type<unknown>;
  readonly dissector: Dissector;
  /** The form in which some writers make it. */
  readonly other: OtherReading | undefined;
}

const known = new WeakMap<readonly Dissector[], ReadonlyMap<string, DeclaredType>>();

/**
 * Every declared type by name: those that dissectors list as types, and the families, structs and bases of classes that
 * these and their messages consist of. Of several with the same name, the first counts. For one list of dissectors, it
 * is found out once.
 */
export function declaredTypes(dissectors: readonly Dissector[]): ReadonlyMap<string, DeclaredType> {
  const types = known.get(dissectors) ?? typesOf(dissectors);
  known.set(dissectors, types);
  return types;
}

function typesOf(dissectors: readonly Dissector[]): ReadonlyMap<string, DeclaredType> {
  const found = new Map<string, DeclaredType>();
  const add = (typeName: string, type: Type<unknown>, dissector: Dissector) => {
    if (typeName === "" || found.has(typeName)) return;
    found.set(typeName, { typeName, type, dissector, other: dissector.otherReadings?.get(typeName) });
  };
  for (const dissector of dissectors) for (const [name, type] of dissector.types) add(name, type, dissector);
  for (const dissector of dissectors) for (const [name, type] of partsOf(dissector)) add(name, type, dissector);
  return found;
}

/** The parts that what a dissector declares consists of. */
function* partsOf({ types, messages = new Map() }: Dissector): Generator<[string, Type<unknown>]> {
  const lists = [...messages.values()].flatMap((directions) => Object.values(directions).flat());
  const parts = reachable([
    ...[...types].map(([name, { descriptor }]) => new Field(name, descriptor)),
    ...lists.map(({ struct }) => struct),
  ]);
  const families = [...parts].filter(isFamily);
  const structs = [...parts].filter(isStruct);
  for (const family of families) yield [family.name, polymorphic(family)];
  for (const struct of structs) yield [struct.name, new StructType(struct)];
  for (const base of new Set(structs.flatMap((struct) => [...ancestry(struct)]))) {
    const isBaseOf = (struct: Struct) => struct.isA(base);
    const family = families.find((family) => [...family.classes()].some(isBaseOf));
    yield [base.name, family === undefined ? new StructType(base) : polymorphic(family, new StructType(base))];
  }
}
