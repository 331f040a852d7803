import { derive } from "moul-dissect/schema";
import { classNames } from "../classIndices.js";
import { bitVector, namedBits } from "../common/values/hsBitVector.js";
import { plMessage } from "./plMessage.js";

/** Source: pnMessage/plEnableMsg.h. */
const EnableCommands = {
  kDisable: 1 << 0,
  kEnable: 1 << 1,
  kDrawable: 1 << 2,
  kPhysical: 1 << 3,
  kAudible: 1 << 4,
  kAll: 1 << 5,
  kByType: 1 << 6,
};

/** A bit for each class; without a prototype, as V8 would give each name a shape of its own, which takes 5 ms. */
const classBits: Record<string, number> = Object.create(null);
for (const [index, name] of classNames) classBits[name] = index;

/** Enables or disables parts of an object. Source: specification "plEnableMsg"; pnMessage/plEnableMsg.cpp. */
export const plEnableMsg = derive(
  "plEnableMsg",
  plMessage,
  {
    commands: namedBits(EnableCommands),
    types: bitVector(classBits).doc("With kByType: class indices of the interfaces that are meant."),
  },
  { tag: 0x0254 },
);
