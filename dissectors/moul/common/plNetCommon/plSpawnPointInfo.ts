import { flag, struct, text } from "moul-dissect/schema";
import { u16 } from "moul-dissect/schema/little-endian";
import { namedBits } from "../values/hsBitVector.js";

/** Source: plNetCommon/plSpawnPointInfo.cpp, SpawnPointInfoStreamFlags. */
const SpawnPointInfoStreamFlags = {
  kHasTitle: 1 << 0,
  kHasName: 1 << 1,
  kHasCameraStack: 1 << 2,
};

const { kHasTitle, kHasName, kHasCameraStack } = SpawnPointInfoStreamFlags;

/** Where an avatar appears in an age. Source: corrections section 4; plNetCommon/plSpawnPointInfo.cpp. */
export const plSpawnPointInfo = struct("plSpawnPointInfo", {
  flags: namedBits(SpawnPointInfoStreamFlags),
  titleLength: u16.when(flag("flags.bitVector", kHasTitle)),
  title: text("titleLength").when(flag("flags.bitVector", kHasTitle)),
  nameLength: u16.when(flag("flags.bitVector", kHasName)),
  name: text("nameLength").when(flag("flags.bitVector", kHasName)).inSummary(),
  cameraStackLength: u16.when(flag("flags.bitVector", kHasCameraStack)),
  cameraStack: text("cameraStackLength").when(flag("flags.bitVector", kHasCameraStack)),
});
