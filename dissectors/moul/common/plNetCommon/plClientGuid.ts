import {
  bool,
  enumeration,
  flag,
  flags,
  masked,
  type StructType,
  struct,
  type Type,
  text,
  u8,
} from "moul-dissect/schema";
import { u16 } from "moul-dissect/schema/little-endian";
import { accountUuid } from "../ids/accountUuid.js";
import { kiNumber, namesPlayer } from "../ids/kiNumber.js";
import { ipv4 } from "../values/ipv4.js";

/** Source: specification "plClientGuid", Flags. */
const ClientGuidFlags = {
  kAccountUUID: 1 << 0,
  kPlayerID: 1 << 1,
  kTempPlayerID: 1 << 2,
  kCCRLevel: 1 << 3,
  kProtectedLogin: 1 << 4,
  kBuildType: 1 << 5,
  kPlayerName: 1 << 6,
  kSrcAddr: 1 << 7,
  kSrcPort: 1 << 8,
  kReserved: 1 << 9,
  kClientKey: 1 << 10,
};

/** Source: plNetCommon/plNetCommon.h, BuildType. */
const BuildType = {
  kUnknown: 0,
  kDebug: 1,
  kInternalRelease: 2,
  kExternalRelease: 3,
};

const { kPlayerID, kTempPlayerID } = ClientGuidFlags;

/**
 * What is known of a player. The order of the fields is not that of their flags, and there is never more than one ID.
 * Source: specification "plClientGuid"; corrections section 3; plNetCommon/plClientGuid.cpp.
 */
export const plClientGuid = guidWith(bool);

/**
 * The same as DIRTSAND and libHSPlasma write it, with a number of 16 bits where the engine has a truth value of 8.
 * Source: DIRTSAND NetMsgMembersList.cpp.
 */
export const wideClientGuid = guidWith(u16.inJson("reservedNumber"));

/** What is remarked on where only the wide form makes sense. */
export const WIDE_NOTE =
  "reserved is read as 2 bytes, as DIRTSAND and libHSPlasma have it: only so does the length fit";

function guidWith<R>(reserved: Type<R>): StructType<unknown> {
  return struct(
    "plClientGuid",
    {
      flags: flags(u16, ClientGuidFlags),
      accountUuid: accountUuid.when(flag("flags", ClientGuidFlags.kAccountUUID)),
      playerId: kiNumber.when(flag("flags", kPlayerID)).inSummary(),
      tempPlayerId: kiNumber.when(masked("flags", kPlayerID | kTempPlayerID, kTempPlayerID)),
      playerNameLength: u16.when(flag("flags", ClientGuidFlags.kPlayerName)),
      playerName: text("playerNameLength")
        .sensitive("player-name")
        .when(flag("flags", ClientGuidFlags.kPlayerName))
        .inSummary(),
      ccrLevel: u8.when(flag("flags", ClientGuidFlags.kCCRLevel)),
      protectedLogin: bool.when(flag("flags", ClientGuidFlags.kProtectedLogin)),
      buildType: enumeration(u8, BuildType).when(flag("flags", ClientGuidFlags.kBuildType)),
      sourceIpAddress: ipv4.when(flag("flags", ClientGuidFlags.kSrcAddr)),
      sourcePort: u16.varies().when(flag("flags", ClientGuidFlags.kSrcPort)),
      reserved: reserved.when(flag("flags", ClientGuidFlags.kReserved)),
      clientKeyLength: u16.when(flag("flags", ClientGuidFlags.kClientKey)),
      clientKey: text("clientKeyLength").sensitive("token").when(flag("flags", ClientGuidFlags.kClientKey)),
    },
    // Servers replace characters that Latin-1 lacks with question marks: other messages give better names.
    { introduces: ["playerId", "tempPlayerId"].map((id) => ({ ...namesPlayer(id, "playerName"), provisional: true })) },
  );
}
