import { bool, struct } from "../../../src/schema/index.js";
import { i32 } from "../../../src/schema/little-endian.js";
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
