import { derive, enumeration, u8 } from "moul-dissect/schema";
import { f32 } from "moul-dissect/schema/little-endian";
import { hsPoint3 } from "../common/values/hsPoint3.js";
import { hsVector3 } from "../common/values/hsVector3.js";
import { plMessage } from "./plMessage.js";

/** Source: plMessage/plBulletMsg.h, Cmd. */
const BulletCommand = {
  kStop: 0,
  kShot: 1,
  kSpray: 2,
};

/** Shoots marks onto surfaces. Source: corrections section 4; plMessage/plBulletMsg.cpp. */
export const plBulletMsg = derive(
  "plBulletMsg",
  plMessage,
  {
    command: enumeration(u8, BulletCommand).inSummary(),
    from: hsPoint3,
    direction: hsVector3.inJson("directionVector"),
    range: f32,
    radius: f32,
    partyTime: f32.doc("Seconds for which particles fly; 0 or less: as long as usual."),
  },
  { tag: 0x03a6 },
);
