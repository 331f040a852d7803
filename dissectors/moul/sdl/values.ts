import {
  array,
  bool,
  choice,
  group,
  notEquals,
  remarked,
  StructType,
  type Type,
  text,
  u8,
  undeclared,
  within,
} from "moul-dissect/schema";
import { f32, f64, i16, i32, u16, u32 } from "moul-dissect/schema/little-endian";
import { className } from "../classIndices.js";
import { plUoid } from "../common/pnKeyedObject/plUoid.js";
import { plUnifiedTime } from "../common/values/plUnifiedTime.js";
import { NULL_CLASS_INDEX, plCreatable } from "../plCreatable.js";
import { atomicCounts, type SimpleType } from "./state-descriptor.js";

/** A value that clients compute themselves: nothing is sent. */
const nothing = group({});

const atomicTypes: Readonly<Record<Exclude<SimpleType, "CREATABLE">, Type<unknown>>> = {
  INT: i32.sensitive("any-number"),
  FLOAT: f32,
  BOOL: bool,
  STRING32: text(32).sensitive("text"),
  PLKEY: plUoid,
  DOUBLE: f64,
  TIME: plUnifiedTime.varies(),
  BYTE: u8,
  SHORT: i16,
  AGETIMEOFDAY: nothing,
  VECTOR3: f32,
  POINT3: f32,
  RGB: f32,
  RGBA: f32,
  QUATERNION: f32,
  RGB8: u8,
  RGBA8: u8,
};

let creatable: Type<unknown> | undefined;

/** A creatable whose class index comes before its length. Made on first use: only then are its classes declared. */
function creatableType(): Type<unknown> {
  if (creatable === undefined) {
    const classes = [...plCreatable.classes()].map((struct) => [struct.tag ?? 0, new StructType(struct)] as const);
    const body = choice("classIndex", Object.fromEntries(classes), undeclared("this class is not declared"));
    const there = notEquals("classIndex", NULL_CLASS_INDEX);
    creatable = group(
      {
        classIndex: remarked(u16, (index) => (index === NULL_CLASS_INDEX ? "null" : className(index))),
        bufferLength: u32.when(there),
        buffer: within("bufferLength", body).when(there),
      },
      {
        derived: [
          {
            name: "class",
            doc: "Name of the class.",
            schema: { type: "string" },
            inTree: false,
            of: (nodes, node) => className(nodes.numberIn(node, "classIndex") ?? NULL_CLASS_INDEX),
          },
        ],
      },
    );
  }
  return creatable;
}

/** The name of a variable's values in JSON, where all values of a name are of one type. */
export function valuesNameOf(type: SimpleType): string {
  if (atomicCounts[type] > 1) return "vectorValues";
  switch (type) {
    case "BOOL":
      return "boolValues";
    case "STRING32":
    case "TIME":
      return "textValues";
    case "PLKEY":
    case "CREATABLE":
      return "objectValues";
    default:
      return "values";
  }
}

/** All of these names, which stand for `values`. */
export const shownNames: Readonly<Record<string, string>> = {
  vectorValues: "values",
  boolValues: "values",
  textValues: "values",
  objectValues: "values",
};

/** One element of a variable. Source: corrections section 5, "values"; plSDL/plStateVariable.cpp, IReadData. */
export function elementType(type: SimpleType): Type<unknown> {
  if (type === "CREATABLE") return creatableType();
  const count = atomicCounts[type];
  return count === 1 ? atomicTypes[type] : array(atomicTypes[type], count);
}
