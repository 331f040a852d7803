import { bool, derive } from "moul-dissect/schema";
import { plCCRMessage } from "./plCCRMessage.js";

/** Keeps a player from linking, or lets them link again. Source: plMessage/plCCRMsg.cpp. */
export const plCCRBanLinkingMsg = derive(
  "plCCRBanLinkingMsg",
  plCCRMessage,
  { ban: bool.inSummary() },
  { tag: 0x02cf },
);
