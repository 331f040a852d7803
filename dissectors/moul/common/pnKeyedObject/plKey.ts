import { bool, isTrue, struct } from "moul-dissect/schema";
import { plUoid } from "./plUoid.js";

/** A UOID that may be null. Source: specification "plKey"; plResMgr/plResManager.cpp, ReadKey. */
export const plKey = struct("plKey", {
  nonNull: bool,
  uoid: plUoid.when(isTrue("nonNull")),
});
