import { derive } from "moul-dissect/schema";
import { hsBitVector } from "../common/values/hsBitVector.js";
import { plNetMessage } from "./plNetMessage.js";

/**
 * Says where in the age an avatar is. Source: specification "plNetMsgRelevanceRegions"; plNetMessage/plNetMessage.cpp.
 */
export const plNetMsgRelevanceRegions = derive(
  "plNetMsgRelevanceRegions",
  plNetMessage,
  {
    regionsICareAbout: hsBitVector.doc("Regions whose messages the client wants."),
    regionsImIn: hsBitVector,
  },
  { tag: 0x03ac },
);
