import { remarked, within } from "../../../src/schema/index.js";
import { u32 } from "../../../src/schema/little-endian.js";
import { className } from "../classIndices.js";
import { creatable } from "../plCreatable.js";
import { plNetMessage } from "../plNetMessage/plNetMessage.js";

/** A plNetMessage on its way. Source: game_server "PropagateBuffer"; pnNetProtocol/pnNpCli2Game.cpp. */
export const propagatedBuffer = {
  classIndex: remarked(u32, className).doc("Class of the message in the buffer, which repeats it."),
  bufferLength: u32,
  buffer: within("bufferLength", creatable(plNetMessage)),
};
