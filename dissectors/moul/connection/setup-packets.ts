import type { Direction, Step, Window } from "moul-dissect/dissector";
import { bytes, enumeration, rest, type StructType, struct, u8, within } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { ENetError } from "../messages/ENetError.js";

/** Source: specification "Encryption setup packets"; pnNetCli/pnNcCli.cpp. */
const SetupPacketType = {
  Connect: 0,
  Encrypt: 1,
  Error: 2,
};

const type = enumeration(u8, SetupPacketType);
const packetByteCount = u8.doc("Length of the packet, this field and the type included.");
const ofPacket = { field: "packetByteCount", plus: -2 };

/**
 * The client's half of the key exchange. An empty y asks for no encryption.
 * Source: specification "Encryption setup packets"; corrections section 1, row 7, and section 3.
 */
export const Cli2Srv_Connect = struct("Cli2Srv_Connect", {
  type,
  packetByteCount,
  y: bytes(ofPacket)
    .sensitive("key-exchange")
    .doc("The client's public value, little-endian, without leading zeros: usually 64 bytes.")
    .varies(),
});

/** The server's half of the key exchange. Source: specification "Encryption setup packets"; corrections section 3. */
export const Srv2Cli_Encrypt = struct("Srv2Cli_Encrypt", {
  type,
  packetByteCount,
  seed: bytes(ofPacket)
    .sensitive("key-exchange")
    .doc("7 bytes that the shared secret is combined with, or none for no encryption.")
    .varies(),
});

const errorData = struct("errorData", {
  errorCode: enumeration(u32, ENetError),
  data: bytes(rest).sensitive("unknown"),
});

/** The server refuses. Source: specification "Encryption setup packets"; pnNetCli/pnNcCli.cpp. */
export const Srv2Cli_Error = struct("Srv2Cli_Error", {
  type,
  packetByteCount,
  error: within(ofPacket, errorData),
});

/** Width in bytes of the server's half: type, byte count and the seed of 7 bytes. Source: corrections section 3. */
export const ENCRYPT_BYTES = 9;

/** The set-up packets that each side sends, by type. */
const setupPackets: Readonly<Record<Direction, ReadonlyMap<number, StructType<unknown>>>> = {
  c2s: new Map([[SetupPacketType.Connect, Cli2Srv_Connect]]),
  s2c: new Map<number, StructType<unknown>>([
    [SetupPacketType.Encrypt, Srv2Cli_Encrypt],
    [SetupPacketType.Error, Srv2Cli_Error],
  ]),
};

/** Width in bytes of a set-up packet that asks for no encryption. */
export const EMPTY_SETUP_BYTES = 2;

/** The set-up packet that asks for no encryption, if a direction continues with it. */
export function emptySetup(direction: Direction, bytes: Uint8Array): StructType<unknown> | undefined {
  const number = direction === "c2s" ? SetupPacketType.Connect : SetupPacketType.Encrypt;
  return bytes[0] === number && bytes[1] === EMPTY_SETUP_BYTES ? setupPackets[direction].get(number) : undefined;
}

/** Whether a direction goes on with a whole set-up packet of its side. */
export function isSetupPacket(direction: Direction, bytes: Uint8Array): boolean {
  const [type = -1, length = 0] = bytes;
  return length >= 2 && length <= bytes.length && setupPackets[direction].has(type);
}

/** A set-up packet of a type that does not exist, or that does not belong here. */
const unknownSetupPacket = struct("setupPacket", { type, undissected: bytes(rest).sensitive("unknown") });

/** The step for a set-up packet at the start of a window. */
export function setupStep(direction: Direction, { view, start, end }: Window): Step {
  if (end - start < 2) return { step: "more", bytes: 2 };
  const number = view.getUint8(start);
  const length = view.getUint8(start + 1);
  const type = setupPackets[direction].get(number);
  const name = `${direction === "c2s" ? "Cli2Srv" : "Srv2Cli"}_Setup`;
  const head = unknownSetupPacket;
  if (type === undefined) {
    const who = direction === "c2s" ? "clients" : "servers";
    return { step: "unknown", name, head, reason: `${number} is not a type of set-up packet that ${who} send` };
  }
  if (length < 2) {
    return { step: "malformed", name, head, reason: `the byte count of ${length} does not even include itself` };
  }
  return { step: "message", type };
}
