import { bool, struct } from "moul-dissect/schema";
import { plKey } from "../common/pnKeyedObject/plKey.js";
import { hsPoint3 } from "../common/values/hsPoint3.js";
import { EventType } from "./proEventData.js";

/** An object was clicked. Source: specification "proPickedEventData"; pnMessage/plNotifyMsg.cpp. */
export const proPickedEventData = struct(
  "proPickedEventData",
  {
    picker: plKey.doc("Avatar of the player who clicked."),
    picked: plKey,
    enabled: bool.doc("True when the button goes down, false when it goes up."),
    hitPoint: hsPoint3,
  },
  { tag: EventType.kPicked },
);
