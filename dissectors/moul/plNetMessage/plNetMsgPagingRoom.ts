import { derive, flags, u8 } from "moul-dissect/schema";
import { plNetMsgRoomsList } from "./plNetMsgRoomsList.js";

/** Source: specification "plNetMsgPagingRoom", PageFlags. */
const PageFlags = {
  kPagingOut: 1 << 0,
  kResetList: 1 << 1,
  kRequestState: 1 << 2,
  kFinalRoomInAge: 1 << 3,
};

/**
 * Says that a client loads or unloads pages. Source: specification "plNetMsgPagingRoom";
 * plNetMessage/plNetMessage.cpp.
 */
export const plNetMsgPagingRoom = derive(
  "plNetMsgPagingRoom",
  plNetMsgRoomsList,
  { pageFlags: flags(u8, PageFlags).inSummary() },
  { tag: 0x0218 },
);
