import { connectPackets } from "../../../../dissectors/moul/connection/connect-packet.js";
import { Cli2Srv_Connect, Srv2Cli_Encrypt } from "../../../../dissectors/moul/connection/setup-packets.js";
import { moul } from "../../../../dissectors/moul/index.js";
import type { DissectedMessage } from "../../../../src/pipeline/dissected-message.js";
import { encode } from "../../../../src/schema/encode/encode.js";
import type { StructType } from "../../../../src/schema/index.js";
import type { FieldTree } from "../../../../src/schema/language/field-tree.js";
import { labelOf } from "../../../../src/schema/tree/label.js";
import { dissectConversation, type Said } from "../../../support/streams.js";

export const NO_UUID = "00000000-0000-0000-0000-000000000000";

type Fields = Readonly<Record<string, unknown>>;

/** A message of this type; counts and lengths are derived from what they count. */
export function says(type: StructType<unknown>, fields: Fields): Said {
  const { name, tag, descriptors } = type.struct;
  const value = { messageType: tag, messageByteCount: 0, ...fields };
  const bytes = encode(type, value);
  if (!descriptors.has("messageByteCount")) return { direction: directionOf(name), bytes };
  return { direction: directionOf(name), bytes: encode(type, { ...value, messageByteCount: bytes.length }) };
}

function directionOf(name: string): Said["direction"] {
  return name.startsWith("Cli2") ? "c2s" : "s2c";
}

function connectPacket(connectionType: number, data: Fields): Said {
  const packet = connectPackets.get(connectionType);
  if (packet === undefined) throw new Error(`${connectionType} is no connection type`);
  const identity = { clientBuildId: 918, clientBuildType: 50, clientBranchId: 1, clientProductUuid: NO_UUID };
  const dataByteCount = packet.struct.minimumWidth - 31;
  return {
    direction: "c2s",
    bytes: encode(packet, { connectionType, headerByteCount: 31, ...identity, dataByteCount, ...data }),
  };
}

/** What a client and a server exchange when nothing is to be encrypted. */
const plaintext: readonly Said[] = [
  { direction: "c2s", bytes: encode(Cli2Srv_Connect, { type: 0, packetByteCount: 2, y: new Uint8Array(0) }) },
  { direction: "s2c", bytes: encode(Srv2Cli_Encrypt, { type: 1, packetByteCount: 2, seed: new Uint8Array(0) }) },
];

/** The messages of a connection without encryption to the auth server, starting with the first one after the set-up. */
export function authSession(said: readonly Said[]): DissectedMessage[] {
  return dissectConversation(moul, [connectPacket(10, { token: NO_UUID }), ...plaintext, ...said]).slice(3);
}

/** The same for a game server. */
export function gameSession(said: readonly Said[]): DissectedMessage[] {
  const connect = connectPacket(11, { accountUuid: NO_UUID, ageUuid: NO_UUID });
  return dissectConversation(moul, [connect, ...plaintext, ...said]).slice(3);
}

/** The same for a file server, which never encrypts. */
export function fileSession(said: readonly Said[]): DissectedMessage[] {
  return dissectConversation(moul, [connectPacket(16, { realBuildId: 918, serverType: 0 }), ...said]).slice(1);
}

/** The node at a path of names: `ageInstances.0.instanceUuid`. */
export function nodeAt(nodes: FieldTree, path: string): number {
  let node = 0;
  for (const name of path.split(".")) {
    const index = Number(name);
    node = Number.isNaN(index) ? nodes.child(node, name) : elementAt(nodes, node, index);
    if (node < 0) throw new Error(`there is no ${path}`);
  }
  return node;
}

function elementAt(nodes: FieldTree, array: number, index: number): number {
  let node = array + 1;
  for (let left = index; left > 0; left--) node = nodes.nextOf(node);
  return node < nodes.nextOf(array) ? node : -1;
}

/** The label shown beside a field. */
export function labelAt(message: DissectedMessage | undefined, path: string): string | undefined {
  const nodes = message?.nodes;
  if (nodes === undefined) throw new Error("there is no such message");
  return labelOf(nodes, nodeAt(nodes, path));
}
