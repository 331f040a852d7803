import { derive } from "moul-dissect/schema";
import { plNetMsgSDLState } from "./plNetMsgSDLState.js";

/** A plNetMsgSDLState for all clients in the age instance. Source: specification "plNetMsgSDLStateBCast". */
export const plNetMsgSDLStateBCast = derive("plNetMsgSDLStateBCast", plNetMsgSDLState, {}, { tag: 0x0329 });
