/**
 * The types of variables by their usual spelling, and how many values each consists of. Source: sdl "SDL data
 * types"; plSDL/plVarDescriptor.cpp, plSimpleVarDescriptor::SetType.
 */
export const atomicCounts = {
  INT: 1,
  FLOAT: 1,
  BOOL: 1,
  STRING32: 1,
  PLKEY: 1,
  CREATABLE: 1,
  DOUBLE: 1,
  TIME: 1,
  BYTE: 1,
  SHORT: 1,
  AGETIMEOFDAY: 1,
  VECTOR3: 3,
  POINT3: 3,
  RGB: 3,
  RGBA: 4,
  QUATERNION: 4,
  RGB8: 3,
  RGBA8: 4,
} as const;

export type SimpleType = keyof typeof atomicCounts;

/** What a variable is: a value of a simple type, or a record of the newest version of another descriptor. */
type VariableType = { readonly simple: SimpleType } | { readonly nested: string };

/** One variable of a state descriptor. Every variable is an array. Source: sdl "State variables". */
export interface StateVariable {
  readonly name: string;
  readonly type: VariableType;
  /** Number of its elements; undefined if each record says how many. */
  readonly length: number | undefined;
  /** Value of each element where a record leaves the variable at its default, as text; undefined if none is given. */
  readonly defaultValue: string | undefined;
}

/** One version of the structure of records. Source: sdl "State descriptors"; plSDL/plSDLDescriptor.h. */
export interface StateDescriptor {
  readonly name: string;
  readonly version: number;
  readonly variables: readonly StateVariable[];
}

/** What a descriptor is called in messages. */
export function titleOf({ name, version }: StateDescriptor): string {
  return `${name} version ${version}`;
}

/** A type as declarations spell it: `INT`, `$Nested`. */
export function typeText(type: VariableType): string {
  return "simple" in type ? type.simple : `$${type.nested}`;
}

/** The type that a word of a declaration stands for. Clients take any word that begins with QUAT for QUATERNION. */
export function variableType(word: string): VariableType | undefined {
  if (word.startsWith("$")) return word.length > 1 ? { nested: word.slice(1) } : undefined;
  const upper = word.toUpperCase();
  if (upper.startsWith("QUAT")) return { simple: "QUATERNION" };
  if (upper === "MESSAGE") return { simple: "CREATABLE" };
  return isSimpleType(upper) ? { simple: upper } : undefined;
}

function isSimpleType(word: string): word is SimpleType {
  return Object.hasOwn(atomicCounts, word);
}
