import type { FieldTree, MessageContext } from "moul-dissect/schema";

/**
 * The build of the game that a message states: a client's in its connect packets and when it registers, the newest one
 * in the file server's reply. Tools that are not the game state none, as 0.
 */
export function statedBuild(nodes: FieldTree): Pick<MessageContext, "version"> | undefined {
  const build = nodes.numberIn(0, "clientBuildId") ?? nodes.numberIn(0, "buildId") ?? 0;
  return build === 0 ? undefined : { version: { of: "build", value: String(build) } };
}
