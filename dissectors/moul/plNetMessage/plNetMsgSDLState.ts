import { bool, derive } from "moul-dissect/schema";
import { sdlBlob } from "../sdl/sdlBlob.js";
import { plNetMsgStreamedObject } from "./plNetMsgStreamedObject.js";

/**
 * Carries the state of an object, or changes to it. Source: specification "plNetMsgSDLState";
 * plNetMessage/plNetMessage.cpp.
 */
export const plNetMsgSDLState = derive(
  "plNetMsgSDLState",
  plNetMsgStreamedObject(sdlBlob),
  {
    isInitialState: bool.doc("Set by the server when it answers a plNetMsgGameStateRequest."),
    persistOnServer: bool.doc("False if the server is to forget the state when it stops."),
    isAvatarState: bool,
  },
  { tag: 0x02cd },
);
