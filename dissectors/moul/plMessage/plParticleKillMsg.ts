import { derive, flags, u8 } from "moul-dissect/schema";
import { f32 } from "moul-dissect/schema/little-endian";
import { plMessage } from "./plMessage.js";

/** Source: plMessage/plParticleUpdateMsg.h, plParticleKillMsg. */
const ParticleKillFlags = {
  kParticleKillImmortalOnly: 1 << 0,
  kParticleKillPercentage: 1 << 1,
};

/** Makes particles die. Source: specification "plParticleKillMsg"; plMessage/plParticleUpdateMsg.cpp. */
export const plParticleKillMsg = derive(
  "plParticleKillMsg",
  plMessage,
  {
    amountToKill: f32.doc("Number of particles; with kParticleKillPercentage: fraction of them, from 0 to 1."),
    timeLeft: f32.doc("Seconds until they are gone."),
    flags: flags(u8, ParticleKillFlags),
  },
  { tag: 0x0334 },
);
