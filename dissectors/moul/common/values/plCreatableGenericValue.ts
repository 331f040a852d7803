import { struct } from "moul-dissect/schema";
import { plGenericType } from "./plGenericType.js";

/** A value that travels as a creatable, such as an argument of plLinkingMgrMsg. Source: pnNetCommon/plGenericVar.h. */
export const plCreatableGenericValue = struct(
  "plCreatableGenericValue",
  { value: plGenericType.inJson("genericValue") },
  { tag: 0x038c },
);
