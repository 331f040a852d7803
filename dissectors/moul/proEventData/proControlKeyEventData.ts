import { bool, struct } from "moul-dissect/schema";
import { i32 } from "moul-dissect/schema/little-endian";
import { EventType } from "./proEventData.js";

/** A key was pressed or released. Source: specification "proControlKeyEventData"; pnMessage/plNotifyMsg.cpp. */
export const proControlKeyEventData = struct(
  "proControlKeyEventData",
  {
    controlKey: i32,
    down: bool,
  },
  { tag: EventType.kControlKey },
);
