import type { Message } from "../../dissect/message.js";
import type { Dissector } from "../../dissector/dissector.js";
import type { Limits } from "../../limits.js";
import { endpointText } from "../../network/address.js";
import {
  type Conversation,
  type Direction,
  type EndReason,
  type Origin,
  secondsBetween,
} from "../../network/conversation.js";
import { partyText } from "../../output/state/common.js";
import { endingOf, linesOf, type SessionLine, whoPlayed } from "../../output/state/sessions.js";
import { hueOf } from "../../output/text/hue.js";
import { printable } from "../../output/writers/sanitise.js";
import { absoluteTime } from "../../output/writers/time.js";
import { ChatLog } from "../../state/chat-log.js";
import { momentOf } from "../../state/moment.js";
import { NodeGraph } from "../../state/node-graph.js";
import { playerOf } from "../../state/player-of.js";
import { type SessionPart, Sessions } from "../../state/sessions.js";
import { StateEvents } from "../../state/state-events.js";
import { VariableLog } from "../../state/variable-log.js";
import type { MessageStore } from "../../store/message-store.js";
import type {
  ChatRow,
  ChatRows,
  PlayerRows,
  SessionPartRow,
  StateRow,
  VaultNodePage,
  VaultRow,
} from "../session-api.js";
import { FoundObjects } from "./found-objects.js";
import { StateReplay } from "./state-replay.js";
import { stateRows, vaultNodePage, vaultRows } from "./state-rows.js";

/** Most lines of chat that are kept: what comes later is left out. */
const MOST_LINES = 500_000;

/** Most lines of what players did that go to the page. */
const MOST_SESSION_LINES = 5000;

/** A line of chat as it is kept. */
type KeptLine = Omit<ChatRow, "time">;

/** What is the case at any moment of the session. */
export class SessionState {
  readonly #events: StateEvents;
  readonly #log = new ChatLog();
  readonly #sessions = new Sessions();
  readonly #chat: KeptLine[] = [];
  #chatLeftOut = 0;
  readonly objects: FoundObjects;
  readonly #vault: StateReplay<NodeGraph>;
  readonly #variables: StateReplay<VariableLog>;

  constructor(
    readonly dissectors: readonly Dissector[],
    readonly store: MessageStore,
    readonly limits: Limits,
  ) {
    this.#events = new StateEvents(dissectors);
    this.#vault = new StateReplay(dissectors, store, {
      make: () => new NodeGraph(limits),
      take: (graph, event, at) => {
        if (event.kind === "node") graph.takeNode(event, at);
        else if (event.kind === "edge") graph.takeEdge(event, at);
      },
    });
    this.#variables = new StateReplay(dissectors, store, {
      make: () => new VariableLog(),
      take: (log, event, at) => {
        if (event.kind === "variables") log.take(event, at);
      },
    });
    // What they mean depends on nothing before them.
    this.objects = new FoundObjects(
      limits,
      (number) => new StateEvents(dissectors).of(store.at(number - 1)),
      (number) => store.head(number - 1).origin,
    );
  }

  take(message: Message): void {
    const at = momentOf(message);
    const { conversation, protocol } = message;
    this.#sessions.seen(conversation, protocol, playerOf(message), at);
    for (const event of this.#events.of(message)) {
      switch (event.kind) {
        case "chat": {
          const line = this.#log.take(event, at);
          if (line === undefined) break;
          if (this.#chat.length >= MOST_LINES) {
            this.#chatLeftOut++;
            break;
          }
          const { from, to, channel, text } = line;
          const names = to.map(partyText).join(", ");
          const said = { from: printable(partyText(from)), to: printable(names), channel, text: printable(text) };
          this.#chat.push({ number: at.number, ...said });
          break;
        }
        case "node":
        case "edge":
          this.#vault.note(at.number);
          break;
        case "variables":
          this.#variables.note(at.number);
          break;
        case "step":
          this.#sessions.step(conversation, protocol, event, at);
          break;
        case "presence":
          this.#sessions.presence(event, at);
          break;
        default:
          this.objects.take(event, at);
      }
    }
  }

  /** The name of who plays in a conversation, or the number; undefined if nobody is known. */
  playerIn(conversation: Conversation): string | undefined {
    const player = this.#sessions.playerIn(conversation);
    return player && partyText(player);
  }

  closed(conversation: Conversation, reason: EndReason, by: Direction | undefined): void {
    this.#sessions.closed(conversation, reason, by);
  }

  /** What was said. */
  chat(most: number): ChatRows {
    const lines = this.#chat.slice(0, most);
    const rows = lines.map((line) => ({ ...line, time: absoluteTime(this.store.head(line.number - 1).origin) }));
    return { rows, count: this.#chat.length, leftOut: this.#chatLeftOut };
  }

  /** The vault as it was after a message. */
  vault(number: number): Promise<readonly VaultRow[]> {
    return this.#vault.read(number, vaultRows);
  }

  /** A node of the vault as it was after a message. */
  vaultNode(id: string, number: number): Promise<VaultNodePage | undefined> {
    return this.#vault.read(number, (graph) => vaultNodePage(graph, id));
  }

  /** The variables of all objects as they were after a message. */
  states(number: number): Promise<readonly StateRow[]> {
    return this.#variables.read(number, stateRows);
  }

  /** Who played, and how far they came. @param first the first packet */
  players(first: Origin | undefined): PlayerRows {
    const since = (at: Origin) => (first === undefined ? 0 : secondsBetween(first, at));
    const told = this.#sessions.presencesByStream;
    let lines = 0;
    let leftOut = 0;
    const partOf = (part: SessionPart): SessionPartRow[] => {
      if (lines >= MOST_SESSION_LINES) {
        leftOut++;
        return [];
      }
      const { stream, client, first: begin } = part.conversation;
      const happened = [...linesOf(part, told.get(stream) ?? []), ...endOf(part)];
      lines += 1 + happened.length;
      return [
        {
          ...{ stream, client: endpointText(client), protocol: printable(part.protocol), hue: hueOf(part.protocol) },
          seconds: since(begin),
          lines: happened.map(({ at, ...line }) => ({ seconds: since(at), ...line })),
        },
      ];
    };
    const rows = this.#sessions.all.map((session) => ({
      who: whoPlayed(session),
      parts: session.parts.flatMap(partOf),
    }));
    return { rows: rows.filter(({ parts }) => parts.length > 0), leftOut };
  }
}

/** How a conversation ended, as its last line. */
function endOf(part: SessionPart): SessionLine[] {
  const { ended, last } = part;
  const what = endingOf(part);
  if (ended === undefined || what === undefined) return [];
  return [{ at: ended.at, what, outcome: undefined, result: "", numbers: last === undefined ? [] : [last.number] }];
}
