import { struct } from "moul-dissect/schema";
import { EventType } from "./proEventData.js";

/** Has no fields on the wire, and no client makes one. Source: corrections section 2; pnMessage/plNotifyMsg.h. */
export const proClickDragEventData = struct("proClickDragEventData", {}, { tag: EventType.kClickDrag });
