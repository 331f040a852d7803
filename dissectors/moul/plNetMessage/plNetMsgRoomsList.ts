import { array, derive, group, text } from "moul-dissect/schema";
import { u16, u32 } from "moul-dissect/schema/little-endian";
import { plLocation } from "../common/pnKeyedObject/plLocation.js";
import { plNetMessage } from "./plNetMessage.js";

const room = group({
  location: plLocation,
  nameLength: u16,
  name: text("nameLength").inSummary(),
});

/** Base of messages about pages of an age. Source: specification "plNetMsgRoomsList"; plNetMessage/plNetMessage.cpp. */
export const plNetMsgRoomsList = derive(
  "plNetMsgRoomsList",
  plNetMessage,
  {
    roomCount: u32,
    rooms: array(room, "roomCount"),
  },
  { tag: 0x0263 },
);
