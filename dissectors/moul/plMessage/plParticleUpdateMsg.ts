import { derive, enumeration } from "moul-dissect/schema";
import { f32, u32 } from "moul-dissect/schema/little-endian";
import { plMessage } from "./plMessage.js";

/** Source: plMessage/plParticleUpdateMsg.h, plParticleUpdateMsg::paramIDs. */
const ParticleParameter = {
  kParamParticlesPerSecond: 0,
  kParamInitPitchRange: 1,
  kParamInitYawRange: 2,
  kParamVelMin: 3,
  kParamVelMax: 4,
  kParamXSize: 5,
  kParamYSize: 6,
  kParamScaleMin: 7,
  kParamScaleMax: 8,
  kParamGenLife: 9,
  kParamPartLifeMin: 10,
  kParamPartLifeMax: 11,
  kParamEnabled: 12,
};

/**
 * Changes a parameter of a particle system.
 * Source: plMessage/plParticleUpdateMsg.cpp; sent by pfPython/cyParticleSys.cpp.
 */
export const plParticleUpdateMsg = derive(
  "plParticleUpdateMsg",
  plMessage,
  {
    parameterId: enumeration(u32, ParticleParameter).inSummary(),
    parameterValue: f32.inSummary(),
  },
  { tag: 0x0207 },
);
