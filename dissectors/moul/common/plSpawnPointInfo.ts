import { flag, struct, text } from "../../../src/schema/index.js";
import { u16 } from "../../../src/schema/little-endian.js";
import { presenceBits } from "./hsBitVector.js";

/** Source: plNetCommon/plSpawnPointInfo.cpp, SpawnPointInfoStreamFlags. */
export const SpawnPointInfoStreamFlags = {
  kHasTitle: 1 << 0,
  kHasName: 1 << 1,
  kHasCameraStack: 1 << 2,
};

const { kHasTitle, kHasName, kHasCameraStack } = SpawnPointInfoStreamFlags;

/** Where an avatar appears in an age. Source: corrections section 4; plNetCommon/plSpawnPointInfo.cpp. */
export const plSpawnPointInfo = struct("plSpawnPointInfo", {
  flags: presenceBits(SpawnPointInfoStreamFlags),
  titleLength: u16.when(flag("flags.low", kHasTitle)),
  title: text("titleLength").when(flag("flags.low", kHasTitle)),
  nameLength: u16.when(flag("flags.low", kHasName)),
  name: text("nameLength").when(flag("flags.low", kHasName)).inSummary(),
  cameraStackLength: u16.when(flag("flags.low", kHasCameraStack)),
  cameraStack: text("cameraStackLength").when(flag("flags.low", kHasCameraStack)),
});
