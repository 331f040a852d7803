import type { Party, StateMessage } from "../dissector/state-event.js";

/** Who plays in the conversation of a message, as far as the messages up to it have told; undefined if nobody is known. */
export function playerOf({ nodes }: Pick<StateMessage, "nodes">): Party | undefined {
  const player = nodes?.context?.player;
  return player && { kind: player.kind, id: player.id, name: nodes?.names?.get(player.kind, player.id) };
}
