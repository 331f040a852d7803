import { bytes, derive, enumeration, rest, struct, text } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { ConnectionType, clientIdentity } from "../connectPacket.js";
import { MessageTable } from "../messageTable.js";

/** What a connection is for. Source: pnSimpleNet/pnSimpleNet.h (2011), ESimpleNetChannel. */
export const SimpleNetChannel = { Nil: 0, Csr: 1, Max: 2 };

const channelId = enumeration(u32, SimpleNetChannel);

/** Begins a connection; has no count of its data. Source: specification "Connection types"; pnSimpleNet/pnSimpleNet.h (2011). */
export const SimpleNet_Connect = struct(
  "SimpleNet_Connect",
  { ...clientIdentity, channelId },
  { tag: ConnectionType.SimpleNet },
);

/** Width in bytes of the header of all messages. */
export const SIMPLE_NET_HEADER_BYTES = 12;

/** What all messages begin with. Source: pnSimpleNet/pnSimpleNet.h (2011), SimpleNet_MsgHeader. */
const SimpleNet_MsgHeader = struct("SimpleNet_MsgHeader", {
  channelId,
  messageId: u32,
  messageByteCount: u32.doc("Length of the whole message, header included."),
});

/** What can be shown of messages of an unknown kind. */
export const unknownSimpleNetMessage = derive("message", SimpleNet_MsgHeader, {
  undissected: bytes(rest).sensitive("unknown"),
});

/** Lets a tool of customer service run a console command in a game client. Source: pnCsrNet/pnCsrNet.h (2011). */
export const CsrNet_ExecConsoleCmd = derive(
  "CsrNet_ExecConsoleCmd",
  SimpleNet_MsgHeader,
  {
    command: text({ field: "messageByteCount", plus: -SIMPLE_NET_HEADER_BYTES })
      .sensitive("chat")
      .doc("Ends with a zero.")
      .inSummary(),
  },
  { tag: 0 },
);

/** The messages of the channel Csr; those of the channel Max are in no public source. */
export const csrNet = new MessageTable([CsrNet_ExecConsoleCmd]);
