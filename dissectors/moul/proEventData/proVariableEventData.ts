import { choice, enumeration, struct } from "moul-dissect/schema";
import { f32, i32 } from "moul-dissect/schema/little-endian";
import { plKey } from "../common/pnKeyedObject/plKey.js";
import { SafeString } from "../common/values/SafeString.js";
import { EventType } from "./proEventData.js";

/** Source: pnMessage/plNotifyMsg.h, proEventData::dataType. */
export const DataType = {
  kFloat: 1,
  kKey: 2,
  kInt: 3,
  kNull: 4,
};

/** A named value. Source: specification "proVariableEventData"; pnMessage/plNotifyMsg.cpp. */
export const proVariableEventData = struct(
  "proVariableEventData",
  {
    variableName: SafeString.inSummary(),
    dataType: enumeration(i32, DataType),
    numberValue: choice(
      "dataType",
      { [DataType.kFloat]: f32, [DataType.kInt]: i32 },
      i32.doc("Means nothing."),
    ).sensitive("any-number"),
    keyValue: plKey,
  },
  { tag: EventType.kVariable },
);
