import {
  derive,
  type Infer,
  type InferMembers,
  type Members,
  type StructType,
  struct,
  utf16,
} from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";

const fileMessageHeader = struct("fileMessage", {
  messageByteCount: u32.doc("Length of the whole message, header included."),
  messageType: u32,
});

/** Declares a message of the file server: its length, its type, then its fields. Source: protocol "Messages". */
export function fileMessage<M extends Members>(
  name: string,
  messageType: number,
  members: M,
): StructType<Infer<typeof fileMessageHeader> & InferMembers<M>> {
  return derive(name, fileMessageHeader, members, { tag: messageType });
}

/** A name in a field of fixed width: 260 UTF-16 units, of which those after the first zero mean nothing. */
export const fixedName = utf16(520);

/** Which build's files are asked for. Source: pnNetProtocol/pnNpCli2File.h. */
export const requestedBuildId = u32.doc("0: the newest.");

/** Number of a download, which the server assigns. */
export const readerId = u32.standsFor("download", "conversation");
