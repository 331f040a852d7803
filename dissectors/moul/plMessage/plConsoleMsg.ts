import { derive, enumeration, text } from "moul-dissect/schema";
import { u16, u32 } from "moul-dissect/schema/little-endian";
import { plMessage } from "./plMessage.js";

/** Source: plMessage/plConsoleMsg.h. */
const ConsoleCommand = {
  kExecuteFile: 0,
  kAddLine: 1,
  kExecuteLine: 2,
};

/**
 * A line for the client's console; with kAddLine, something that a player says there to everyone.
 * Source: plMessage/plConsoleMsg.cpp; sent by pfConsole/pfConsoleCommandsNet.cpp.
 */
export const plConsoleMsg = derive(
  "plConsoleMsg",
  plMessage,
  {
    command: enumeration(u32, ConsoleCommand).inSummary(),
    stringLength: u16,
    string: text("stringLength").sensitive("chat").inSummary(),
  },
  { tag: 0x02f4 },
);
