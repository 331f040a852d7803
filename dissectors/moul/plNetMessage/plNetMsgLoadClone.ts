import { bool, derive } from "moul-dissect/schema";
import { plUoid } from "../common/pnKeyedObject/plUoid.js";
import { plNetMsgGameMessage } from "./plNetMsgGameMessage.js";

/** A plNetMsgGameMessage for plLoadCloneMsg and plLoadAvatarMsg. Source: specification "plNetMsgLoadClone". */
export const plNetMsgLoadClone = derive(
  "plNetMsgLoadClone",
  plNetMsgGameMessage,
  {
    uoid: plUoid,
    isPlayer: bool,
    isLoading: bool,
    isInitialState: bool.doc("Set by the server when it answers a plNetMsgGameStateRequest."),
  },
  { tag: 0x03b3 },
);
