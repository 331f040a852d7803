import { derive, enumeration, flags, u8 } from "moul-dissect/schema";
import { f32, i32, u16 } from "moul-dissect/schema/little-endian";
import { kiNumber, namesPlayer } from "../common/ids/kiNumber.js";
import { SafeString } from "../common/values/SafeString.js";
import { safeWString } from "../common/values/SafeWString.js";
import { plMessage } from "./plMessage.js";

/** Only chat messages travel; all others stay within a client. Source: pfMessage/pfKIMsg.h. */
const KICommand = {
  kHACKChatMsg: 0,
  kEnterChatMode: 1,
  kSetChatFadeDelay: 2,
  kSetTextChatAdminMode: 3,
  kDisableKIandBB: 4,
  kEnableKIandBB: 5,
  kYesNoDialog: 6,
  kAddPlayerDevice: 7,
  kRemovePlayerDevice: 8,
  kUpgradeKILevel: 9,
  kDowngradeKILevel: 10,
  kRateIt: 11,
  kSetPrivateChatChannel: 12,
  kUnsetPrivateChatChannel: 13,
  kStartBookAlert: 14,
  kMiniBigKIToggle: 15,
  kKIPutAway: 16,
  kChatAreaPageUp: 17,
  kChatAreaPageDown: 18,
  kChatAreaGoToBegin: 19,
  kChatAreaGoToEnd: 20,
  kKITakePicture: 21,
  kKICreateJournalNote: 22,
  kKIToggleFade: 23,
  kKIToggleFadeEnable: 24,
  kKIChatStatusMsg: 25,
  kKILocalChatStatusMsg: 26,
  kKIUpSizeFont: 27,
  kKIDownSizeFont: 28,
  kKIOpenYeehsaBook: 29,
  kKIOpenKI: 30,
  kKIShowCCRHelp: 31,
  kKICreateMarker: 32,
  kKICreateMarkerFolder: 33,
  kKILocalChatErrorMsg: 34,
  kKIPhasedAllOn: 35,
  kKIPhasedAllOff: 36,
  kKIOKDialog: 37,
  kDisableYeeshaBook: 38,
  kEnableYeeshaBook: 39,
  kQuitDialog: 40,
  kTempDisableKIandBB: 41,
  kTempEnableKIandBB: 42,
  kDisableEntireYeeshaBook: 43,
  kEnableEntireYeeshaBook: 44,
  kKIOKDialogNoQuit: 45,
  kGZUpdated: 46,
  kGZInRange: 47,
  kGZOutRange: 48,
  kUpgradeKIMarkerLevel: 49,
  kKIShowMiniKI: 50,
  kGZFlashUpdate: 51,
  kStartJournalAlert: 52,
  kAddJournalBook: 53,
  kRemoveJournalBook: 54,
  kKIOpenJournalBook: 55,
  kMGStartCGZGame: 56,
  kMGStopCGZGame: 57,
  kKICreateMarkerNode: 58,
  kStartKIAlert: 59,
  kUpdatePelletScore: 60,
  kFriendInviteSent: 61,
  kRegisterImager: 62,
  kNoCommand: 63,
};

/** Source: pfMessage/pfKIMsg.h, Flags. */
const KIFlags = {
  kPrivateMsg: 1 << 0,
  kAdminMsg: 1 << 1,
  kGlobalMsg: 1 << 2,
  kInterAgeMsg: 1 << 3,
  kStatusMsg: 1 << 4,
  kNeighborMsg: 1 << 5,
  kSubtitleMsg: 1 << 6,
  kLocKeyMsg: 1 << 7,
};

/** A chat message. Source: specification "pfKIMsg"; corrections section 1, row 3; pfMessage/pfKIMsg.h. */
export const pfKIMsg = derive(
  "pfKIMsg",
  plMessage,
  {
    command: enumeration(u8, KICommand).inSummary(),
    senderName: SafeString.sensitive("player-name").inSummary(),
    senderKiNumber: kiNumber,
    messageText: safeWString({ followedBy: 12 }).sensitive("chat").inSummary(),
    flags: flags(u8, KIFlags),
    channel: u8.doc("Private chat channel that the sender is in; 0: none."),
    reservedFlags: u16,
    delay: f32,
    value: i32,
  },
  {
    tag: 0x0364,
    introduces: {
      ...namesPlayer("senderKiNumber", "senderName"),
      // Clients may call themselves what they like here.
      provisional: true,
      when: { field: "command", is: KICommand.kHACKChatMsg },
    },
  },
);
