import { remarked, withinEither } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { className } from "../classIndices.js";
import { WIDE_NOTE } from "../common/plNetCommon/plClientGuid.js";
import { creatable } from "../plCreatable.js";
import { plNetMessage } from "../plNetMessage/plNetMessage.js";
import { wideNetMessage } from "../wide-forms.js";

/** A plNetMessage on its way. Source: game_server "PropagateBuffer"; pnNetProtocol/pnNpCli2Game.cpp. */
export const propagatedBuffer = {
  classIndex: remarked(u32, className).doc("Class of the message in the buffer, which repeats it."),
  bufferLength: u32,
  buffer: withinEither("bufferLength", creatable(plNetMessage), wideNetMessage, WIDE_NOTE),
};
