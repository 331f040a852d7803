import { parentPort } from "node:worker_threads";
import {
  type Conversation,
  type Direction,
  type DissectOptions,
  dissectCaptures,
  type NetworkListener,
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

/** Keeps what each end of each TCP conversation sent. */
class Recorder implements NetworkListener {
  readonly #found = new Map<Conversation, Found>();

  get tcp(): OwnConversation[] {
    return [...this.#found.values()];
  }

  opened(conversation: Conversation): void {
    if (conversation.transport !== "tcp") return;
    const { stream, client, server, path, first } = conversation;
    const ends: [string, string] = [endpointText(client), endpointText(server)];
    const found = { stream, ends, path, first: first.frame, last: first.frame, sent: {}, reason: "", differing: 0 };
    this.#found.set(conversation, found);
  }

  bytes(conversation: Conversation, direction: Direction, bytes: Uint8Array): void {
    this.#add(conversation, direction, Buffer.from(bytes).toString("latin1"));
  }

  gap(conversation: Conversation, direction: Direction, length: number): void {
    this.#add(conversation, direction, gapText(length));
  }

  conflict(conversation: Conversation, _direction: Direction, differing: number): void {
    const found = this.#found.get(conversation);
    if (found !== undefined) found.differing += differing;
  }

  datagram(): void {}
  finished(): void {}

  closed(conversation: Conversation, reason: string): void {
    const found = this.#found.get(conversation);
    if (found === undefined) return;
    found.reason = reason;
    found.last = conversation.last.frame;
  }

  #add(conversation: Conversation, direction: Direction, text: string): void {
    const found = this.#found.get(conversation);
    if (found === undefined || text === "") return;
    const end = endpointText(senderOf(conversation, direction));
    found.sent[end] = (found.sent[end] ?? "") + text;
  }
}

async function ownView(path: string): Promise<OwnView> {
  const problems: string[] = [];
  const recognised: string[] = [];
  const internalErrors: string[] = [];
  const recorder = new Recorder();
  const options: DissectOptions = {
    network: recorder,
    onProblem: ({ text }) => problems.push(text),
    onInternalError: (error) => internalErrors.push(String(error)),
    onRecognised: ({ conversation, dissector, spokenBy }) => {
      const ends = `${endpointText(conversation.client)} > ${endpointText(conversation.server)}`;
      const { transport, stream } = conversation;
      recognised.push(`stream ${stream} (${transport}, ${ends}): ${spokenBy.name}, ${dissector.protocol}`);
    },
  };
  const { packets } = await dissectCaptures([path], options, () => {});
  const others = Object.fromEntries(packets.others);
  return { problems, internalErrors, packets: packets.packets, tcp: recorder.tcp, recognised, others };
}

parentPort?.on("message", async (path: string) => {
  try {
    parentPort?.postMessage(await ownView(path));
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    parentPort?.postMessage({ problems: [], internalErrors: [text], packets: 0, tcp: [], recognised: [], others: {} });
  }
});
