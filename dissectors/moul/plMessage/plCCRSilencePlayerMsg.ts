import { bool, derive } from "moul-dissect/schema";
import { plCCRMessage } from "./plCCRMessage.js";

/** Keeps a player from chatting, or lets them chat again. Source: plMessage/plCCRMsg.cpp. */
export const plCCRSilencePlayerMsg = derive(
  "plCCRSilencePlayerMsg",
  plCCRMessage,
  { silence: bool.inSummary() },
  { tag: 0x02d0 },
);
