import type { StateEvent, StateReader } from "moul-dissect/dissector";
import { chatIn } from "./chat.js";
import { fileReaders } from "./files.js";
import { AskedBefore, type ReadMessage, type Reads } from "./message-reader.js";
import { pictureIn } from "./pictures.js";
import { membersIn, stepReaders } from "./presence.js";
import { variablesIn } from "./variables.js";
import { vaultReaders } from "./vault.js";
import { voiceIn } from "./voice.js";

const byName: Readonly<Record<string, Reads>> = { ...stepReaders, ...fileReaders, ...vaultReaders };

/** What messages inside a game message mean, by the name of their class. */
const byClass: Readonly<Record<string, (message: ReadMessage) => readonly StateEvent[]>> = {
  pfKIMsg: chatIn,
  plNetMsgVoice: voiceIn,
  plNetMsgMembersList: membersIn,
  plNetMsgMemberUpdate: membersIn,
  plNetMsgSDLState: variablesIn,
  plNetMsgSDLStateBCast: variablesIn,
};

/** Messages that may have a picture in them. */
const withPictures: ReadonlySet<string> = new Set([
  "Auth2Cli_VaultNodeFetched",
  "Cli2Auth_VaultNodeCreate",
  "Cli2Auth_VaultNodeSave",
]);

/** Says what the messages of a run mean. */
export function stateReader(): StateReader {
  const asked = new AskedBefore();
  return (message) => {
    const { nodes, name } = message;
    if (nodes === undefined) return [];
    const read: ReadMessage = { ...message, nodes };
    const events: StateEvent[] = [];
    // The list of files that there are is a step of the patcher, too.
    for (const readers of [stepReaders, fileReaders, vaultReaders])
      events.push(...(readers[name]?.(read, asked) ?? []));
    if (withPictures.has(name)) events.push(...pictureIn(read));
    if (byName[name] === undefined) {
      nodes.forEachClass((className) => void events.push(...(byClass[className]?.(read) ?? [])));
    }
    return events;
  };
}
