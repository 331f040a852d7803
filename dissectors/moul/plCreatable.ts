import { Family, polymorphic, type StructType } from "moul-dissect/schema";
import { u16 } from "moul-dissect/schema/little-endian";
import { classNames } from "./classIndices.js";

/** Class index of a null creatable. Source: specification "plCreatable". */
export const NULL_CLASS_INDEX = 0x8000;

/** All classes that are distinguished by a class index. Source: NucleusLib/inc/plCreatableIndex.h. */
export const plCreatable = new Family("plCreatable", "classIndex", u16, {
  nullTag: NULL_CLASS_INDEX,
  names: classNames,
});

/** A creatable with its header: class index, then the fields of that class, which has to be derived from `base`. */
export function creatable(base: StructType<unknown>): ReturnType<typeof polymorphic> {
  return polymorphic(plCreatable, base);
}
