import { enumeration, struct } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { EventType } from "./proEventData.js";

/** Source: pfJournalBook/pfJournalBook.h, NotifyTypes. */
const BookNotifyTypes = {
  kNotifyImageLink: 0,
  kNotifyShow: 1,
  kNotifyHide: 2,
  kNotifyNextPage: 3,
  kNotifyPreviousPage: 4,
  kNotifyCheckUnchecked: 5,
  kNotifyClose: 6,
  kNotifyOpen: 7,
};

/** A journal was read. Source: specification "proBookEventData"; pnMessage/plNotifyMsg.cpp. */
export const proBookEventData = struct(
  "proBookEventData",
  {
    event: enumeration(u32, BookNotifyTypes),
    linkId: u32.doc("With kNotifyImageLink: which image was clicked."),
  },
  { tag: EventType.kBook },
);
