import { derive, flags } from "moul-dissect/schema";
import { bool32, i16, u16, u32 } from "moul-dissect/schema/little-endian";
import { plKey } from "../common/pnKeyedObject/plKey.js";
import { hsColorRGBA } from "../common/values/hsColorRGBA.js";
import { safeWString } from "../common/values/SafeWString.js";
import { plMessage } from "./plMessage.js";

/** Source: plMessage/plDynamicTextMsg.h, Commands. */
const DynamicTextCommands = {
  kClear: 1 << 0,
  kSetTextColor: 1 << 1,
  kSetFont: 1 << 2,
  kFillRect: 1 << 3,
  kFrameRect: 1 << 4,
  kDrawString: 1 << 5,
  kDrawClippedString: 1 << 6,
  kDrawWrappedString: 1 << 7,
  kFlush: 1 << 8,
  kDrawImage: 1 << 9,
  kSetJustify: 1 << 10,
  kDrawClippedImage: 1 << 11,
  kSetLineSpacing: 1 << 12,
  kPurgeImage: 1 << 13,
};

/** Draws on a texture that shows text. Source: corrections section 4; plMessage/plDynamicTextMsg.cpp. */
export const plDynamicTextMsg = derive(
  "plDynamicTextMsg",
  plMessage,
  {
    command: flags(u16, DynamicTextCommands).inJson("commandFlags").inSummary(),
    x: i16.doc("With kSetFont: size of the font."),
    y: i16,
    left: u16,
    top: u16,
    right: u16,
    bottom: u16,
    clearColor: hsColorRGBA,
    color: hsColorRGBA,
    string: safeWString({ followedBy: 11 })
      .sensitive("text")
      .doc("What to draw; with kSetFont: name of the font.")
      .inSummary(),
    imageKey: plKey,
    flags: u32.doc("Bold, alignment or use of opacity, depending on the command.").inJson("textFlags"),
    blockRgb: bool32,
    lineSpacing: i16,
  },
  { tag: 0x0340 },
);
