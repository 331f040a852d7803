import { parentPort } from "node:worker_threads";
import {
  type Conversation,
  type ConversationObserver,
  type Direction,
  type DissectOptions,
  dissectCaptures,
  type RecognisedConversation,
} from "../../src/index.js";
import { endpointText } from "../../src/network/address.js";
import { senderOf } from "../../src/network/conversation.js";
import { gapText, type OwnConversation, type OwnView } from "./views.js";

/** Runs in a thread, so that the other one can end it: answers each path with what this program finds there. */

/** What is found of a conversation so far. */
interface Found {
  readonly stream: number;
  readonly ends: [string, string];
  readonly path: string;
  readonly first: number;
  last: number;
  readonly sent: Record<string, string>;
  reason: string;
  differing: number;
}

/** Keeps what each end of a TCP conversation sent. */
function recorded(conversation: Conversation, found: Found): ConversationObserver {
  const add = (direction: Direction, text: string) => {
    if (text === "") return;
    const end = endpointText(senderOf(conversation, direction));
    found.sent[end] = (found.sent[end] ?? "") + text;
  };
  return {
    bytes: (direction, bytes) => add(direction, Buffer.from(bytes).toString("latin1")),
    gap: (direction, length) => add(direction, gapText(length)),
    conflict: (_direction, differing) => {
      found.differing += differing;
    },
    closed: (reason) => {
      found.reason = reason;
      found.last = conversation.last.frame;
    },
  };
}

async function ownView(path: string): Promise<OwnView> {
  const problems: string[] = [];
  const recognised: string[] = [];
  const internalErrors: string[] = [];
  const tcp: OwnConversation[] = [];
  const onRecognised = ({ conversation, analyzer, recognisedBy }: RecognisedConversation) => {
    const ends = `${endpointText(conversation.client)} > ${endpointText(conversation.server)}`;
    const { transport, stream } = conversation;
    recognised.push(`stream ${stream} (${transport}, ${ends}): ${recognisedBy.name}, ${analyzer.protocol}`);
  };
  const opened = (conversation: Conversation): ConversationObserver => {
    if (conversation.transport !== "tcp") return { recognised: onRecognised };
    const { stream, client, server, path, first } = conversation;
    const ends: [string, string] = [endpointText(client), endpointText(server)];
    const found = { stream, ends, path, first: first.frame, last: first.frame, sent: {}, reason: "", differing: 0 };
    tcp.push(found);
    return { ...recorded(conversation, found), recognised: onRecognised };
  };
  const options: DissectOptions = {
    network: { comparesRepeats: true, opened },
    onProblem: ({ text }) => problems.push(text),
    onInternalError: (error) => internalErrors.push(String(error)),
  };
  const { packets } = await dissectCaptures([path], options, () => {});
  const others = Object.fromEntries(packets.others);
  return { problems, internalErrors, packets: packets.packets, tcp, recognised, others };
}

parentPort?.on("message", async (path: string) => {
  try {
    parentPort?.postMessage(await ownView(path));
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    parentPort?.postMessage({ problems: [], internalErrors: [text], packets: 0, tcp: [], recognised: [], others: {} });
  }
});
