import { derive } from "../../../src/schema/index.js";
import { plNetMsgRoomsList } from "./plNetMsgRoomsList.js";

/**
 * Asks for the state of the age instance. Source: specification "plNetMsgGameStateRequest";
 * plNetMessage/plNetMessage.h.
 */
export const plNetMsgGameStateRequest = derive("plNetMsgGameStateRequest", plNetMsgRoomsList, {}, { tag: 0x0265 });
