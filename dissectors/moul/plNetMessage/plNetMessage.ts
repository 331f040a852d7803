import { flag, flags, group, struct, u8 } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { accountUuid } from "../common/ids/accountUuid.js";
import { kiNumber } from "../common/ids/kiNumber.js";
import { plUnifiedTime } from "../common/values/plUnifiedTime.js";

/** Source: specification "plNetMessage", BitVectorFlags. */
const BitVectorFlags = {
  kHasTimeSent: 1 << 0,
  kHasGameMsgRcvrs: 1 << 1,
  kEchoBackToSender: 1 << 2,
  kRequestP2P: 1 << 3,
  kAllowTimeOut: 1 << 4,
  kIndirectMember: 1 << 5,
  kPublicIPClient: 1 << 6,
  kHasContext: 1 << 7,
  kAskVaultForGameState: 1 << 8,
  kHasTransactionID: 1 << 9,
  kNewSDLState: 1 << 10,
  kInitialAgeStateRequest: 1 << 11,
  kHasPlayerID: 1 << 12,
  kUseRelevanceRegions: 1 << 13,
  kHasAcctUUID: 1 << 14,
  kInterAgeRouting: 1 << 15,
  kHasVersion: 1 << 16,
  kIsSystemMessage: 1 << 17,
  kNeedsReliableSend: 1 << 18,
  kRouteToAllPlayers: 1 << 19,
};

const protocolVersion = group({
  majorVersion: u8,
  minorVersion: u8,
});

/**
 * Header of all network messages; the order of the optional fields is not that of their flags.
 * Source: specification "plNetMessage"; corrections section 3; plNetMessage/plNetMessage.cpp.
 */
export const plNetMessage = struct(
  "plNetMessage",
  {
    flags: flags(u32, BitVectorFlags),
    protocolVersion: protocolVersion.when(flag("flags", BitVectorFlags.kHasVersion)),
    timeSent: plUnifiedTime.varies().when(flag("flags", BitVectorFlags.kHasTimeSent)),
    context: u32.when(flag("flags", BitVectorFlags.kHasContext)),
    transactionId: u32.standsFor("transaction", "conversation").when(flag("flags", BitVectorFlags.kHasTransactionID)),
    playerId: kiNumber.when(flag("flags", BitVectorFlags.kHasPlayerID)).doc("KI number of the sender.").inSummary(),
    accountUuid: accountUuid.when(flag("flags", BitVectorFlags.kHasAcctUUID)),
  },
  { tag: 0x025e },
);
