import { derive } from "moul-dissect/schema";
import { SafeString } from "../common/values/SafeString.js";
import { plMessage } from "./plMessage.js";

/** Tells a script a secret. Source: pfMessage/pfBackdoorMsg.cpp. */
export const pfBackdoorMsg = derive(
  "pfBackdoorMsg",
  plMessage,
  {
    target: SafeString.doc("Name of the script that listens.").inJson("targetName").inSummary(),
    string: SafeString.sensitive("text").inSummary(),
  },
  { tag: 0x0465 },
);
