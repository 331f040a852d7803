import type { StateEvent, StateReader } from "moul-dissect/dissector";
import { chatIn } from "./chat.js";
import { Joining } from "./joining.js";
import { Players, type ReadMessage } from "./players.js";

/** Says what the messages of a run mean: who joined, who came and left, and what was said. */
export function stateReader(): StateReader {
  const players = new Players();
  const joining = new Joining(players);
  const readers: Readonly<Record<string, (message: ReadMessage) => readonly StateEvent[]>> = {
    Hello: (message) => joining.greeted(message),
    ServerHello: (message) => joining.greeted(message),
    MsgEnter: (message) => joining.asked(message),
    MsgAccept: (message) => joining.answered(message, "done"),
    MsgReject: (message) => joining.answered(message, "failed"),
    MsgSuperKill: (message) => joining.thrownOut(message),
    MsgAddPlayer: (message) => joining.presence(message, true),
    MsgRemovePlayer: (message) => joining.presence(message, false),
    MsgMessage: (message) => chatIn(message, players),
  };
  return (message) => {
    const { nodes, name } = message;
    return nodes === undefined ? [] : (readers[name]?.({ ...message, nodes }) ?? []);
  };
}
