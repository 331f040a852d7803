import { flag, flags, remarked, struct, u8 } from "moul-dissect/schema";
import { u16, u32 } from "moul-dissect/schema/little-endian";
import { className } from "../../classIndices.js";
import { kiNumber } from "../ids/kiNumber.js";
import { SafeString } from "../values/SafeString.js";
import { plLoadMask } from "./plLoadMask.js";
import { plLocation } from "./plLocation.js";

/** Source: specification "plUoid", ContentsFlags. */
const ContentsFlags = {
  kHasCloneIDs: 1 << 0,
  kHasLoadMask: 1 << 1,
};

/** Identifies a keyed object. Source: specification "plUoid"; pnKeyedObject/plUoid.cpp. */
export const plUoid = struct("plUoid", {
  flags: flags(u8, ContentsFlags),
  location: plLocation,
  loadMask: plLoadMask.when(flag("flags", ContentsFlags.kHasLoadMask)),
  classIndex: remarked(u16, className).doc("Class of the object."),
  objectId: u32.doc("Number of the object in its location and class; 0: looked up by name."),
  objectName: SafeString.inSummary(),
  cloneId: u16.when(flag("flags", ContentsFlags.kHasCloneIDs)),
  ignored: u16.when(flag("flags", ContentsFlags.kHasCloneIDs)),
  clonerKiNumber: kiNumber
    .when(flag("flags", ContentsFlags.kHasCloneIDs))
    .doc("KI number of the player who made the clone."),
});
