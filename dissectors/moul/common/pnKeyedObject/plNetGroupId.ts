import { flags, struct, u8 } from "moul-dissect/schema";
import { plLocation } from "./plLocation.js";

/** Source: specification "plNetGroupId", NetGroupConstants. */
const NetGroupConstants = {
  kNetGroupConstant: 1 << 0,
  kNetGroupLocal: 1 << 1,
};

/**
 * Identifies a group of objects that have one owner. Source: specification "plNetGroupId"; pnNetCommon/plNetGroup.cpp.
 */
export const plNetGroupId = struct("plNetGroupId", {
  id: plLocation,
  flags: flags(u8, NetGroupConstants),
});
