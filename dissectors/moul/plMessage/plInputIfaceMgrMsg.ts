import { derive, enumeration, u8 } from "moul-dissect/schema";
import { kiNumber } from "../common/ids/kiNumber.js";
import { plKey } from "../common/pnKeyedObject/plKey.js";
import { SafeString } from "../common/values/SafeString.js";
import { ageNames } from "../sensitiveKinds.js";
import { plMessage } from "./plMessage.js";

/** Source: plMessage/plInputIfaceMgrMsg.h. */
const InputIfaceMgrCommand = {
  kAddInterface: 0,
  kRemoveInterface: 1,
  kEnableClickables: 2,
  kDisableClickables: 3,
  kSetOfferBookMode: 4,
  kClearOfferBookMode: 5,
  kNotifyOfferAccepted: 6,
  kNotifyOfferRejected: 7,
  kNotifyOfferCompleted: 8,
  kDisableAvatarClickable: 9,
  kEnableAvatarClickable: 10,
  kGUIDisableAvatarClickable: 11,
  kGUIEnableAvatarClickable: 12,
  kSetShareSpawnPoint: 13,
  kSetShareAgeInstanceGuid: 14,
};

/**
 * What a player may click on, and the sharing of linking books. Source: specification "plInputIfaceMgrMsg"; corrections
 * section 3; plMessage/plInputIfaceMgrMsg.cpp.
 */
export const plInputIfaceMgrMsg = derive(
  "plInputIfaceMgrMsg",
  plMessage,
  {
    command: enumeration(u8, InputIfaceMgrCommand).inSummary(),
    offereeKiNumber: kiNumber.doc("Meaningful only with kNotifyOfferCompleted; otherwise whatever was in memory."),
    ageName: SafeString.sensitive(ageNames),
    ageFileName: SafeString.public(),
    spawnPoint: SafeString.inJson("spawnPointName"),
    avatar: plKey,
  },
  { tag: 0x0363 },
);
