import type { StateEvent, StateMessage, StateReader } from "moul-dissect/dissector";
import { chatIn } from "./chat.js";
import { fileReaders } from "./files.js";
import { AskedBefore, type ReadMessage, type Reads } from "./message-reader.js";
import { pictureIn } from "./pictures.js";
import { membersIn, stepReaders } from "./presence.js";
import { variablesIn } from "./variables.js";
import { vaultReaders } from "./vault.js";
import { voiceIn } from "./voice.js";

/** What messages mean, by their names: the list of files that there are is a step of the patcher, too. */
const byName = new Map<string, Reads[]>();
for (const readers of [stepReaders, fileReaders, vaultReaders]) {
  for (const [name, reads] of Object.entries(readers)) byName.set(name, [...(byName.get(name) ?? []), reads]);
}

/** What messages inside a game message mean, by the name of their class. */
const byClass = new Map<string, (message: ReadMessage) => readonly StateEvent[]>([
  ["pfKIMsg", chatIn],
  ["plNetMsgVoice", voiceIn],
  ["plNetMsgMembersList", membersIn],
  ["plNetMsgMemberUpdate", membersIn],
  ["plNetMsgSDLState", variablesIn],
  ["plNetMsgSDLStateBCast", variablesIn],
]);

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
    if (!isRead(message)) return [];
    const { nodes, name } = message;
    const events: StateEvent[] = [];
    const readers = byName.get(name);
    for (const reads of readers ?? []) events.push(...reads(message, asked));
    if (withPictures.has(name)) events.push(...pictureIn(message));
    if (readers === undefined) {
      nodes.forEachClass((className) => {
        const reads = byClass.get(className);
        if (reads !== undefined) events.push(...reads(message));
      });
    }
    return events;
  };
}

function isRead(message: StateMessage): message is ReadMessage {
  return message.nodes !== undefined;
}
