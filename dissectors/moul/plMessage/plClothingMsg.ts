import { bool, derive, flags, isTrue, u8 } from "moul-dissect/schema";
import { f32, u32 } from "moul-dissect/schema/little-endian";
import { plKey } from "../common/pnKeyedObject/plKey.js";
import { hsColorRGBA } from "../common/values/hsColorRGBA.js";
import { plMessage } from "./plMessage.js";

/** Source: pfMessage/plClothingMsg.h, commands. */
const ClothingCommands = {
  kAddItem: 1 << 0,
  kRemoveItem: 1 << 1,
  kUpdateTexture: 1 << 2,
  kTintItem: 1 << 3,
  kRetry: 1 << 4,
  kTintSkin: 1 << 5,
  kBlendSkin: 1 << 6,
  kMorphItem: 1 << 7,
  kSaveCustomizations: 1 << 8,
};

/** Changes what an avatar looks like. Source: corrections section 4; pfMessage/plClothingMsg.cpp. */
export const plClothingMsg = derive(
  "plClothingMsg",
  plMessage,
  {
    commands: flags(u32, ClothingCommands).inJson("clothingCommands").inSummary(),
    itemPresent: bool,
    item: plKey.when(isTrue("itemPresent")),
    color: hsColorRGBA,
    layer: u8.doc("Which layer of the texture; with kMorphItem: of the shape."),
    delta: u8.doc("With kMorphItem: which change of the shape."),
    weight: f32.doc("With kMorphItem: how much of it."),
  },
  { tag: 0x0357 },
);
