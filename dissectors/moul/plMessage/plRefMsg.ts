import { derive, flags, u8 } from "moul-dissect/schema";
import { plKey } from "../common/pnKeyedObject/plKey.js";
import { plMessage } from "./plMessage.js";

/** What becomes of a reference. Source: pnMessage/plRefMsg.h, plRefMsg::Context. */
const RefContext = {
  kOnCreate: 1 << 0,
  kOnDestroy: 1 << 1,
  kOnRequest: 1 << 2,
  kOnRemove: 1 << 3,
  kOnReplace: 1 << 4,
};

/** Base of messages about the references of an object to others. Source: pnMessage/plRefMsg.cpp. */
export const plRefMsg = derive(
  "plRefMsg",
  plMessage,
  {
    context: flags(u8, RefContext).inJson("refContext").inSummary(),
    ref: plKey.doc("The object that is referred to."),
    oldRef: plKey.doc("The object that it replaces, with kOnReplace."),
  },
  { tag: 0x0203 },
);
