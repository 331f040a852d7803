import { derive } from "moul-dissect/schema";
import { u16 } from "moul-dissect/schema/little-endian";
import { plKey } from "../common/pnKeyedObject/plKey.js";
import { plMessage } from "./plMessage.js";

/**
 * Takes particles from one system to another. Source: specification "plParticleTransferMsg";
 * plMessage/plParticleUpdateMsg.cpp.
 */
export const plParticleTransferMsg = derive(
  "plParticleTransferMsg",
  plMessage,
  {
    particleSystemSceneObject: plKey.doc("Where the particles come from."),
    particleCountToTransfer: u16,
  },
  { tag: 0x0333 },
);
