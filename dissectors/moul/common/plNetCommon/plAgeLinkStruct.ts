import { enumeration, flag, flags, group, masked, struct, text, u8 } from "moul-dissect/schema";
import { u16 } from "moul-dissect/schema/little-endian";
import { plAgeInfoStruct } from "./plAgeInfoStruct.js";
import { plSpawnPointInfo } from "./plSpawnPointInfo.js";

/** Source: plNetCommon/plNetServerSessionInfo.h, plAgeLinkStruct. */
const AgeLinkFlags = {
  kHasAgeInfo: 1 << 0,
  kHasLinkingRules: 1 << 1,
  kHasSpawnPt_DEAD: 1 << 2,
  kHasSpawnPt_DEAD2: 1 << 3,
  kHasAmCCR: 1 << 4,
  kHasSpawnPt: 1 << 5,
  kHasParentAgeFilename: 1 << 6,
};

/** Source: plNetCommon/plNetCommon.h, LinkingRules. */
const LinkingRules = {
  kBasicLink: 0,
  kOriginalBook: 1,
  kSubAgeBook: 2,
  kOwnedBook: 3,
  kVisitBook: 4,
  kChildAgeBook: 5,
};

/** A spawn point as older writers describe it. Source: plNetCommon/plSpawnPointInfo.cpp, ReadOld. */
const oldSpawnPointInfo = group({
  titleLength: u16,
  title: text("titleLength"),
  nameLength: u16,
  name: text("nameLength"),
});

const { kHasSpawnPt, kHasSpawnPt_DEAD, kHasSpawnPt_DEAD2 } = AgeLinkFlags;

/** A link to an age. Source: corrections section 4; plNetCommon/plNetServerSessionInfo.cpp. */
export const plAgeLinkStruct = struct(
  "plAgeLinkStruct",
  {
    flags: flags(u16, AgeLinkFlags),
    ageInfo: plAgeInfoStruct.when(flag("flags", AgeLinkFlags.kHasAgeInfo)),
    linkingRules: enumeration(u8, LinkingRules).when(flag("flags", AgeLinkFlags.kHasLinkingRules)),
    spawnPointNameLength: u16.when(flag("flags", kHasSpawnPt_DEAD)),
    spawnPointName: text("spawnPointNameLength").when(flag("flags", kHasSpawnPt_DEAD)),
    oldSpawnPoint: oldSpawnPointInfo.when(flag("flags", kHasSpawnPt_DEAD2)),
    // Clients that have read the outdated name set kHasSpawnPt themselves before they test it.
    spawnPoint: plSpawnPointInfo.when(
      masked("flags", kHasSpawnPt_DEAD2, 0),
      flag("flags", kHasSpawnPt | kHasSpawnPt_DEAD),
    ),
    amCcr: u8.when(flag("flags", AgeLinkFlags.kHasAmCCR)),
    parentAgeFileNameLength: u16.when(flag("flags", AgeLinkFlags.kHasParentAgeFilename)),
    parentAgeFileName: text("parentAgeFileNameLength").public().when(flag("flags", AgeLinkFlags.kHasParentAgeFilename)),
  },
  { tag: 0x02c4 },
);
