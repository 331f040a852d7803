import { type NameBinding, reference } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { knownAgeName, namesAgeNode } from "./ageInstanceUuid.js";

/** Number under which a game server knows an instance of an age. Source: auth_server "AgeReply". */
export const mcpId = reference(u32, "gameServerInstance").doc(
  "The instance of the age, as named in an Auth2Cli_AgeReply and the Cli2Game_JoinAgeRequest that follows it.",
);

/** Declares that a reply says where an instance of an age is. */
export const namesGameServer: readonly NameBinding[] = [
  { kind: "gameServerInstance", id: "mcpId", name: knownAgeName("instanceUuid"), except: 0 },
  namesAgeNode("ageVaultNodeId", "instanceUuid"),
];
