import { bool, derive, enumeration, i8 } from "moul-dissect/schema";
import { plMessage } from "./plMessage.js";

/** What avatars walk on. Source: plAvatar/plArmatureEffects.h. */
const FootSurface = {
  kFootDirt: 0,
  kFootPuddle: 1,
  kFootWater: 2,
  kFootTile: 3,
  kFootMetal: 4,
  kFootWoodBridge: 5,
  kFootRopeLadder: 6,
  kFootGrass: 7,
  kFootBrush: 8,
  kFootHardWood: 9,
  kFootRug: 10,
  kFootStone: 11,
  kFootMud: 12,
  kFootMetalLadder: 13,
  kFootWoodLadder: 14,
  kFootDeepWater: 15,
  kFootMaintainerGlass: 16,
  kFootMaintainerStone: 17,
  kFootSwimming: 18,
  kFootNoSurface: 19,
};

/** Changes how an avatar's steps sound. Source: pfMessage/plArmatureEffectMsg.cpp. */
export const plArmatureEffectStateMsg = derive(
  "plArmatureEffectStateMsg",
  plMessage,
  {
    surface: enumeration(i8, FootSurface).inSummary(),
    addSurface: bool.doc("True if the surface begins, false if it ends.").inSummary(),
  },
  { tag: 0x0393 },
);
