import { array, derive } from "moul-dissect/schema";
import { f32, i16 } from "moul-dissect/schema/little-endian";
import { plUoid } from "../common/pnKeyedObject/plUoid.js";
import { plNetMessage } from "./plNetMessage.js";

/**
 * Says how often objects may be updated. Source: specification "plNetMsgObjectUpdateFilter";
 * plNetMessage/plNetMessage.cpp.
 */
export const plNetMsgObjectUpdateFilter = derive(
  "plNetMsgObjectUpdateFilter",
  plNetMessage,
  {
    uoidCount: i16,
    uoids: array(plUoid, "uoidCount"),
    maximumUpdateFrequency: f32,
  },
  { tag: 0x029d },
);
