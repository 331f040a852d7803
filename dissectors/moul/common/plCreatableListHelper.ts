import { array, choice, flag, flags, group, polymorphic, struct, u8, within } from "moul-dissect/schema";
import { u16, u32 } from "moul-dissect/schema/little-endian";
import { plCreatable } from "../plCreatable.js";

/** Source: plNetCommon/plNetCommonHelpers.h, plCreatableListHelper::Flags. */
const CreatableListFlags = {
  kWantCompression: 1 << 0,
  kCompressed: 1 << 1,
  kWritten: 1 << 2,
};

const numberedItem = group({
  id: u16,
  item: polymorphic(plCreatable),
});

const items = group({
  itemCount: u16,
  items: array(numberedItem, "itemCount"),
});

const { kCompressed } = CreatableListFlags;
const compressed = flag("flags", kCompressed);
const compression = { when: compressed, literal: 0, inflatedLength: "length" };

/** Creatables by number. Source: corrections section 4, plLinkingMgrMsg; plNetCommon/plNetCommonHelpers.cpp. */
export const plCreatableListHelper = struct("plCreatableListHelper", {
  flags: flags(u8, CreatableListFlags),
  length: u32.doc("Length in bytes of the list before compression."),
  compressedLength: u32.when(compressed),
  data: choice(
    { field: "flags", mask: kCompressed },
    { [kCompressed]: within("compressedLength", items, compression) },
    within("length", items),
  ),
});
