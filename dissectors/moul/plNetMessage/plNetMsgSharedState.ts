import { array, bool, derive, group, struct, text } from "moul-dissect/schema";
import { i32, u16 } from "moul-dissect/schema/little-endian";
import { plGenericType } from "../common/values/plGenericType.js";
import { SafeString } from "../common/values/SafeString.js";
import { plNetMsgStreamedObject } from "./plNetMsgStreamedObject.js";

const variable = group({
  variableName: SafeString.inSummary(),
  variableValue: plGenericType,
});

/** Source: specification "plNetMsgSharedState"; corrections section 3; pnNetCommon/plNetSharedState.cpp. */
const plNetSharedState = struct("plNetSharedState", {
  stateNameLength: u16,
  stateName: text("stateNameLength"),
  variableCount: i32,
  serverMayDelete: bool.doc("True if the state has its default value again."),
  variables: array(variable, "variableCount"),
});

/**
 * Base of messages about a state that clients share. Source: specification "plNetMsgSharedState";
 * plNetMessage/plNetMessage.cpp.
 */
export const plNetMsgSharedState = derive(
  "plNetMsgSharedState",
  plNetMsgStreamedObject(plNetSharedState),
  { lockRequest: bool.doc("True to lock the object, false to unlock it.").inSummary() },
  { tag: 0x027c },
);
