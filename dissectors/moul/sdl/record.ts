import {
  array,
  choice,
  type Derived,
  equals,
  Family,
  type FieldTree,
  flag,
  flags,
  group,
  type Members,
  masked,
  notEquals,
  polymorphic,
  type Resolver,
  remarked,
  resolved,
  type StructOptions,
  type StructType,
  struct,
  type Type,
  tuple,
  u8,
  undeclared,
  withTwin,
} from "moul-dissect/schema";
import { u16, u32 } from "moul-dissect/schema/little-endian";
import { plUnifiedTime } from "../common/values/plUnifiedTime.js";
import { SafeString } from "../common/values/SafeString.js";
import { nestedLabel, recordLabel, simpleFact, simpleLabel } from "./labels.js";
import { type SimpleType, type StateDescriptor, type StateVariable, titleOf, typeText } from "./state-descriptor.js";
import { elementType, valuesNameOf } from "./values.js";
import { SimpleVariableFlags, VariableFlags } from "./variable-flags.js";

/** Finds the type of the records of a descriptor that another one nests, or says why there is none. */
type NestedTypes = (name: string) => Type<unknown> | string;

/** Source: plSDL/plSDL.h, plStateDataRecord::Flags. */
const RecordFlags = { kVolatile: 1 << 0 };

/** The form of records that clients read and write. Source: plSDL/plStateDataRecord.cpp, kIOVersion. */
const IO_VERSION = 6;

/** Clients refuse longer arrays of simple values. Source: plSDL/plSDL.h, kMaxListSize. */
const LONGEST_LIST = 9998;

const notificationInfo = group({ flags: u8.doc("Means nothing."), hint: SafeString });

/** What all variables begin with. Source: plSDL/plStateVariable.cpp, plStateVariable::ReadData. */
const variableHeader = {
  variableFlags: flags(u8, VariableFlags),
  notificationInfo: notificationInfo.when(flag("variableFlags", VariableFlags.kHasNotificationInfo)),
};

/** The type of a number that is at most `most`. Source: plSDL/plStateDataRecord.cpp, VariableLengthRead. */
function numberUpTo(most: number): Type<number> {
  if (most < 1 << 8) return u8;
  return most < 1 << 16 ? u16 : u32;
}

/**
 * The record of a descriptor, which follows the header of an SDL blob. A list of all variables has them in the order of
 * the descriptor; in any other list, the index of each comes before it.
 *
 * Source: sdl "Blob body"; corrections section 5; plSDL/plStateDataRecord.cpp, plStateDataRecord::Read.
 */
export function recordType(descriptor: StateDescriptor, nestedTypes: NestedTypes): StructType<unknown> {
  const count = numberUpTo(descriptor.variables.length);
  const simple = descriptor.variables.flatMap((variable) =>
    "simple" in variable.type ? simpleVariable(variable, variable.type.simple) : [],
  );
  const nested = descriptor.variables.flatMap((variable) =>
    "nested" in variable.type ? nestedVariable(variable, variable.type.nested, nestedTypes) : [],
  );
  const readable = equals("ioVersion", IO_VERSION);
  return struct(
    "plStateDataRecord",
    {
      flags: flags(u16, RecordFlags),
      ioVersion: u8,
      simpleVariableCount: count.when(readable),
      simpleVariables: variableList(descriptor, "simple", count, simple).when(readable),
      nestedVariableCount: count.when(readable),
      nestedVariables: variableList(descriptor, "nested", count, nested).when(readable),
      rejected: undeclared(`clients reject a record with an I/O version other than ${IO_VERSION}`).when(
        notEquals("ioVersion", IO_VERSION),
      ),
    },
    {
      label: recordLabel(descriptor),
      derived: [
        indicesPresent("simpleIndicesPresent", "simpleVariableCount", () => simple.length),
        indicesPresent("nestedIndicesPresent", "nestedVariableCount", () => nested.length),
      ],
    },
  );
}

/** A variable with its members on the wire and the options of their struct. */
interface Declaration {
  readonly variable: StateVariable;
  readonly members: Members;
  readonly options: StructOptions & { readonly derived: readonly Derived[] };
}

/** The variables of one kind. */
function variableList(
  descriptor: StateDescriptor,
  kind: "simple" | "nested",
  indexType: Type<number>,
  declarations: readonly Declaration[],
): Type<unknown[]> {
  const structs = declarations.map(({ members, options }, index) =>
    group<Members>(members, { ...options, tag: index, derived: [indexOf(index), ...options.derived] }),
  );
  const names = new Map(declarations.map(({ variable }, index) => [index, variable.name]));
  const title = `the ${structs.length} ${kind} variables of ${titleOf(descriptor)}`;
  const family = new Family(title, "index", indexType, { names, closed: true });
  family.register(...structs);
  const counter = `${kind}VariableCount`;
  return choice(counter, { [structs.length]: tuple(structs) }, array(polymorphic(family), counter));
}

const arrayLength = remarked(
  u32,
  withTwin((count: number) => (count > LONGEST_LIST ? "more than clients accept" : undefined), "longList"),
);

/** Source: sdl "Single variable values"; plSDL/plStateVariable.cpp, plSimpleStateVariable::ReadData. */
function simpleVariable(variable: StateVariable, type: SimpleType): Declaration {
  const { length } = variable;
  const given = masked("flags", SimpleVariableFlags.kSameAsDefault, 0);
  const members: Members = {
    ...variableHeader,
    flags: flags(u8, SimpleVariableFlags),
    timestamp: plUnifiedTime.varies().when(flag("flags", SimpleVariableFlags.kHasTimeStamp)),
    ...(length === undefined && { arrayLength: arrayLength.when(given) }),
    values: array(elementType(type), length ?? "arrayLength")
      .inJson(valuesNameOf(type))
      .when(given),
  };
  const options: Declaration["options"] = {
    label: simpleLabel(variable),
    fact: simpleFact(variable),
    derived: nameAndType(variable),
    valueField: "values",
  };
  return { variable, members, options };
}

/** Source: sdl "Single variable values"; plSDL/plStateVariable.cpp, plSDStateVariable::ReadData. */
function nestedVariable(variable: StateVariable, nested: string, nestedTypes: NestedTypes): Declaration {
  const { length } = variable;
  const record = resolved(
    withTwin(
      () => nestedTypes(nested),
      "given",
      () => nestedTypes(nested),
    ),
  );
  // Where the length varies, the engine works with the size -1, and so always reads one byte.
  const index = length === undefined ? u8 : numberUpTo(length);
  const inOrder = group({ record }, { derived: [position] });
  const some = group({ index, record });
  const members: Members = {
    ...variableHeader,
    flags: u8.doc("Means nothing."),
    ...(length === undefined && { arrayLength: u32 }),
    elementCount: index,
    elements:
      length === undefined
        ? elementsOfAnyLength(inOrder, some)
        : choice("elementCount", { [length]: array(inOrder, length) }, array(some, "elementCount")),
  };
  const total = (nodes: FieldTree, node: number) => length ?? nodes.numberIn(node, "arrayLength");
  const derived = [...nameAndType(variable), indicesPresent("indicesPresent", "elementCount", total)];
  return { variable, members, options: { label: nestedLabel(variable), derived } };
}

/** Elements have no index if all are present: if their count equals the array's length, which is in another field. */
function elementsOfAnyLength(inOrder: Type<unknown>, some: Type<unknown>): Type<unknown> {
  const types = new Map<string, Type<unknown>>();
  const resolver: Resolver = (member) => {
    const count = Number(member("elementCount"));
    const whole = count === Number(member("arrayLength"));
    const key = `${count} ${whole}`;
    const type = types.get(key) ?? array(whole ? inOrder : some, count);
    types.set(key, type);
    return type;
  };
  // The twin sets their counts.
  return resolved(withTwin(resolver, "elements", () => ({ inOrder: array(inOrder, 1), some: array(some, 1) })));
}

/** The index of a variable, if it is not on the wire. */
function indexOf(index: number): Derived {
  return {
    name: "index",
    doc: "Index of the variable, among those of its kind.",
    schema: { type: "integer" },
    inTree: false,
    of: (nodes, node) => (nodes.child(node, "index") < 0 ? index : undefined),
  };
}

function constant(name: string, doc: string, value: string): Derived {
  return { name, doc, schema: { const: value }, inTree: false, of: () => value };
}

function nameAndType({ name, type }: StateVariable): Derived[] {
  return [
    constant("name", "Name of the variable in the descriptor.", name),
    constant("type", "Type of the variable in the descriptor.", typeText(type)),
  ];
}

const position: Derived = {
  name: "index",
  doc: "Index of the element.",
  schema: { type: "integer" },
  inTree: false,
  of: (nodes, node) => nodes.indexOf(node),
};

function indicesPresent(
  name: string,
  counter: string,
  total: (nodes: FieldTree, node: number) => number | undefined,
): Derived {
  return {
    name,
    doc: "True if some are absent: then the index of each comes before it.",
    schema: { type: "boolean" },
    inTree: false,
    of(nodes, node) {
      const count = nodes.numberIn(node, counter);
      return count === undefined ? undefined : count !== total(nodes, node);
    },
  };
}
