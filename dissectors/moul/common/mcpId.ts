import { type Introduction, type Nodes, reference } from "../../../src/schema/index.js";
import { u32 } from "../../../src/schema/little-endian.js";

/** Number under which a game server knows an instance of an age. Source: auth_server "AgeReply". */
export const mcpId = reference(u32, "gameServerInstance").doc(
  "The instance of the age, as an Auth2Cli_AgeReply and the Cli2Game_JoinAgeRequest behind it name it.",
);

/** The name of the instance, if an earlier message has told it. */
function instanceName(nodes: Nodes, node: number): string | undefined {
  const instance = nodes.child(node, "instanceUuid");
  return instance < 0 ? undefined : nodes.names?.get("age", String(nodes.value(instance)));
}

/** What a reply declares that says where an instance of an age is. */
export const namesGameServer: Introduction = {
  kind: "gameServerInstance",
  id: "mcpId",
  name: instanceName,
  except: 0,
};
