import { derive, flags } from "moul-dissect/schema";
import { u16 } from "moul-dissect/schema/little-endian";
import { plMessage } from "./plMessage.js";

/** Source: plMessage/plInputEventMsg.cpp, fCodeMap; pnInputCore/plControlEventCodes.h. */
const InputState = {
  B_CONTROL_MOVE_FORWARD: 1 << 0,
  B_CONTROL_MOVE_BACKWARD: 1 << 1,
  B_CONTROL_ROTATE_LEFT: 1 << 2,
  B_CONTROL_ROTATE_RIGHT: 1 << 3,
  B_CONTROL_STRAFE_LEFT: 1 << 4,
  B_CONTROL_STRAFE_RIGHT: 1 << 5,
  B_CONTROL_ALWAYS_RUN: 1 << 6,
  B_CONTROL_JUMP: 1 << 7,
  B_CONTROL_CONSUMABLE_JUMP: 1 << 8,
  B_CONTROL_MODIFIER_FAST: 1 << 9,
  B_CONTROL_MODIFIER_STRAFE: 1 << 10,
  B_CONTROL_LADDER_INVERTED: 1 << 11,
};

/**
 * What the player's controls tell the avatar to do. Source: specification "plAvatarInputStateMsg";
 * plMessage/plInputEventMsg.cpp.
 */
export const plAvatarInputStateMsg = derive(
  "plAvatarInputStateMsg",
  plMessage,
  { state: flags(u16, InputState).inJson("inputState").inSummary() },
  { tag: 0x0347 },
);
