import { derive } from "moul-dissect/schema";
import { plMessage } from "./plMessage.js";

/** An avatar falls off a climbing wall. Source: plMessage/plClimbEventMsg.h; sent by plAvatar/plAvBrainClimb.cpp. */
export const plClimbEventMsg = derive("plClimbEventMsg", plMessage, {}, { tag: 0x0498 });
