import { array, flag, flags, masked, polymorphic, struct, u8, within } from "../../../src/schema/index.js";
import { u16, u32 } from "../../../src/schema/little-endian.js";
import { plCreatable } from "../plCreatable.js";

/** Source: plNetCommon/plNetCommonHelpers.h, plCreatableListHelper::Flags. */
export const CreatableListFlags = {
  kWantCompression: 1 << 0,
  kCompressed: 1 << 1,
  kWritten: 1 << 2,
};

const numberedItem = struct("numberedItem", {
  id: u16,
  item: polymorphic(plCreatable),
});

const items = struct("items", {
  itemCount: u16,
  items: array(numberedItem, "itemCount"),
});

const compressed = flag("flags", CreatableListFlags.kCompressed);

/**
 * Creatables by number. Source: corrections section 4, plLinkingMgrMsg; plNetCommon/plNetCommonHelpers.cpp.
 */
export const plCreatableListHelper = struct("plCreatableListHelper", {
  flags: flags(u8, CreatableListFlags),
  length: u32.doc("Length in bytes of the list before compression."),
  data: within("length", items).when(masked("flags", CreatableListFlags.kCompressed, 0)),
  compressedLength: u32.when(compressed),
  compressedData: within("compressedLength", items, { when: compressed, literal: 0, inflatedLength: "length" }).when(
    compressed,
  ),
});
