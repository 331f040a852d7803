import { derive } from "moul-dissect/schema";
import { plNetMsgRoomsList } from "./plNetMsgRoomsList.js";

/**
 * Asks for the state of the age instance. Source: specification "plNetMsgGameStateRequest";
 * plNetMessage/plNetMessage.h.
 */
export const plNetMsgGameStateRequest = derive("plNetMsgGameStateRequest", plNetMsgRoomsList, {}, { tag: 0x0265 });
