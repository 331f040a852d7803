import { derive, enumeration, text, u8 } from "moul-dissect/schema";
import { u16 } from "moul-dissect/schema/little-endian";
import { plCCRMessage } from "./plCCRMessage.js";

/** Source: plNetCommon/plNetCommon.h, PetitionTypes. */
const PetitionType = {
  kGeneralHelp: 0,
  kBug: 1,
  kFeedback: 2,
  kExploit: 3,
  kHarass: 4,
  kStuck: 5,
  kTechnical: 6,
};

/** A player's call for help from a CCR. Source: plMessage/plCCRMsg.cpp. */
export const plCCRPetitionMsg = derive(
  "plCCRPetitionMsg",
  plCCRMessage,
  {
    noteLength: u16,
    note: text("noteLength").sensitive("chat"),
    titleLength: u16,
    title: text("titleLength").sensitive("chat").inSummary(),
    petitionType: enumeration(u8, PetitionType).inSummary(),
  },
  { tag: 0x0287 },
);
