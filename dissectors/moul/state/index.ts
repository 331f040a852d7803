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

/** Reads what a message inside a game message means: events of one kind. */
interface ClassReader {
  readonly kind: StateEvent["kind"];
  readonly reads: (message: ReadMessage) => readonly StateEvent[];
}

/** What messages inside a game message mean, by the name of their class. */
const byClass = new Map<string, ClassReader>([
  ["pfKIMsg", { kind: "chat", reads: chatIn }],
  ["plNetMsgVoice", { kind: "voice", reads: voiceIn }],
  ["plNetMsgMembersList", { kind: "presence", reads: membersIn }],
  ["plNetMsgMemberUpdate", { kind: "presence", reads: membersIn }],
  ["plNetMsgSDLState", { kind: "variables", reads: variablesIn }],
  ["plNetMsgSDLStateBCast", { kind: "variables", reads: variablesIn }],
]);
/** The kinds of events that come only from these. */
const OF_CLASSES: ReadonlySet<StateEvent["kind"]> = new Set(["chat", "voice", "variables"]);

/** Messages that may have a picture in them. */
const withPictures: ReadonlySet<string> = new Set([
  "Auth2Cli_VaultNodeFetched",
  "Cli2Auth_VaultNodeCreate",
  "Cli2Auth_VaultNodeSave",
]);

/** Says what the messages of a run mean. @param kinds only events of these kinds are of interest */
export function stateReader(kinds?: ReadonlySet<StateEvent["kind"]>): StateReader {
  const asked = new AskedBefore();
  const readsOthers = kinds === undefined || [...kinds].some((kind) => !OF_CLASSES.has(kind));
  return (message) => {
    if (!isRead(message)) return [];
    const { nodes, name } = message;
    const events: StateEvent[] = [];
    const readers = byName.get(name);
    if (readsOthers) {
      for (const reads of readers ?? []) events.push(...reads(message, asked));
      if (withPictures.has(name)) events.push(...pictureIn(message));
    }
    if (readers === undefined) {
      nodes.forEachClass((className) => {
        const reader = byClass.get(className);
        if (reader === undefined || (kinds !== undefined && !kinds.has(reader.kind))) return;
        for (const event of reader.reads(message)) events.push(event);
      });
    }
    return events;
  };
}

function isRead(message: StateMessage): message is ReadMessage {
  return message.nodes !== undefined;
}
