import type { Message } from "../../dissect/message.js";
import type { Dissector } from "../../dissector/dissector.js";
import type { EdgeEvent, NodeEvent } from "../../dissector/state-event.js";
import type { Limits } from "../../limits.js";
import { type Origin, secondsBetween } from "../../network/conversation.js";
import { partyText } from "../../output/state/common.js";
import { valueText } from "../../output/state/vault.js";
import { hueOf } from "../../output/text/hue.js";
import { printable } from "../../output/writers/sanitise.js";
import { absoluteTime } from "../../output/writers/time.js";
import { ChatLog } from "../../state/chat-log.js";
import { type Moment, momentOf } from "../../state/moment.js";
import { type GraphNode, NodeGraph } from "../../state/node-graph.js";
import { Sessions } from "../../state/sessions.js";
import { StateEvents } from "../../state/state-events.js";
import { latestOf, type Stated, VariableLog, type VariableState } from "../../state/variable-log.js";
import type { MessageStore } from "../../store/message-store.js";
import type { ChatRow, StatedValue, StateRow, StepRow, VariableRow, VaultNodePage, VaultRow } from "../session-api.js";
import { FoundObjects } from "./found-objects.js";
import { GrowingNumbers } from "./growing-numbers.js";

/** Most events of a kind that are kept: what comes later is left out. */
const MOST_EVENTS = 500_000;
/** Most levels of the vault's tree. */
const DEEPEST = 64;

interface Noted<E> {
  readonly event: E;
  readonly at: Moment;
}

/** What is the case at any moment of the session. */
export class SessionState {
  readonly #events: StateEvents;
  readonly #log = new ChatLog();
  readonly #sessions = new Sessions();
  readonly chat: ChatRow[] = [];
  readonly objects: FoundObjects;
  readonly #vaultEvents: Noted<NodeEvent | EdgeEvent>[] = [];
  /** Numbers of the messages that say something about variables: their values would take too much memory. */
  readonly #withVariables = new GrowingNumbers();
  #states = new VariableLog();
  #statesTaken = 0;
  /** The vault as it was asked for last, which is often the next to be asked for, too. */
  #graph: NodeGraph;
  #applied = 0;

  constructor(
    readonly dissectors: readonly Dissector[],
    readonly store: MessageStore,
    readonly limits: Limits,
  ) {
    this.#events = new StateEvents(dissectors);
    this.#graph = new NodeGraph(limits);
    this.objects = new FoundObjects(limits, (number) => {
      const events = new StateEvents(dissectors).of(store.at(number - 1));
      return events.flatMap((event) => (event.kind === "voice" ? event.frames : []));
    });
  }

  take(message: Message): void {
    const at = momentOf(message);
    const { conversation, protocol, nodes } = message;
    const player = nodes?.context?.player;
    const known = player && { kind: player.kind, id: player.id, name: nodes?.names?.get(player.kind, player.id) };
    this.#sessions.seen(conversation, protocol, known, at);
    for (const event of this.#events.of(message)) {
      switch (event.kind) {
        case "chat": {
          const line = this.#log.take(event, at);
          if (line === undefined || this.chat.length >= MOST_EVENTS) break;
          const { from, to, channel, text } = line;
          const names = to.map(partyText).join(", ");
          const said = { from: printable(partyText(from)), to: printable(names), channel, text: printable(text) };
          this.chat.push({ number: at.number, time: absoluteTime(at.origin), ...said });
          break;
        }
        case "node":
        case "edge":
          if (this.#vaultEvents.length < MOST_EVENTS) this.#vaultEvents.push({ event, at });
          break;
        case "variables":
          this.#withVariables.push(at.number);
          break;
        case "step":
          this.#sessions.step(conversation, protocol, event, at);
          break;
        default:
          this.objects.take(event, at);
      }
    }
  }

  vault(number: number): readonly VaultRow[] {
    const graph = this.#graphAt(number);
    const rows: VaultRow[] = [];
    const shown = new Set<string>();
    const waiting = graph.roots().map((id) => ({ id, depth: 0 }));
    waiting.reverse();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { id, depth } = next;
      const node = graph.get(id);
      if (node === undefined) continue;
      rows.push({ id, depth, title: titleOf(node), mark: markOf(node) });
      if (shown.has(id) || depth >= DEEPEST) continue;
      shown.add(id);
      for (const child of [...graph.childrenOf(id)].reverse()) waiting.push({ id: child, depth: depth + 1 });
    }
    return rows;
  }

  vaultNode(id: string, number: number): VaultNodePage | undefined {
    const graph = this.#graphAt(number);
    const node = graph.get(id);
    if (node === undefined) return undefined;
    return {
      id,
      title: titleOf(node),
      fields: [...node.fields].map(([name, value]) => ({ name: printable(name), value: valueText(value) })),
      parents: graph.parentsOf(id),
      history: node.history.map(({ at, change, fields, other, error }) => ({
        number: at.number,
        what: printable([change, other, error].filter((part) => part !== undefined).join(" ")),
        changes: fields.flatMap(({ name, before, after }) =>
          before === undefined ? [] : [`${printable(name)}: ${valueText(before)} → ${valueText(after)}`],
        ),
      })),
    };
  }

  states(number: number): readonly StateRow[] {
    return [...this.#statesAt(number).objects].map(({ object, set, version, last, values }) => ({
      object: printable(object),
      set: printable(set),
      version,
      number: last.number,
      variables: [...values].flatMap(([name, state]) => variableRow(name, state)),
    }));
  }

  steps(first: Origin | undefined): readonly StepRow[] {
    return this.#sessions.all.flatMap(({ player, address, parts }) =>
      parts.flatMap(({ steps }) =>
        steps.map((step) => ({
          who: printable(player === undefined ? address : partyText(player)),
          protocol: printable(step.protocol),
          hue: hueOf(step.protocol),
          step: printable([step.step, step.detail ?? ""].join(" ").trim()),
          outcome: step.outcome === "failed" ? `failed: ${printable(step.error ?? "")}` : step.outcome,
          asked: step.asked.number,
          answered: step.answered?.number,
          seconds: first === undefined ? 0 : secondsBetween(first, step.asked.origin),
        })),
      ),
    );
  }

  /** The variables after a message, from the messages themselves. */
  #statesAt(number: number): VariableLog {
    if (this.#withVariables.get(this.#statesTaken - 1) > number) {
      this.#states = new VariableLog();
      this.#statesTaken = 0;
    }
    // What they mean depends on nothing before them.
    const events = new StateEvents(this.dissectors);
    for (; this.#statesTaken < this.#withVariables.length; this.#statesTaken++) {
      const next = this.#withVariables.get(this.#statesTaken);
      if (next > number) break;
      const message = this.store.at(next - 1);
      for (const event of events.of(message)) {
        if (event.kind === "variables") this.#states.take(event, momentOf(message));
      }
    }
    return this.#states;
  }

  /** The vault after a message. */
  #graphAt(number: number): NodeGraph {
    const last = this.#vaultEvents[this.#applied - 1];
    if (last !== undefined && last.at.number > number) {
      this.#graph = new NodeGraph(this.limits);
      this.#applied = 0;
    }
    for (; this.#applied < this.#vaultEvents.length; this.#applied++) {
      const next = this.#vaultEvents[this.#applied];
      if (next === undefined || next.at.number > number) break;
      if (next.event.kind === "node") this.#graph.takeNode(next.event, next.at);
      else this.#graph.takeEdge(next.event, next.at);
    }
    return this.#graph;
  }
}

function variableRow(name: string, state: VariableState): VariableRow[] {
  const { latest, other } = latestOf(state);
  if (latest === undefined) return [];
  const by = other === state.sent ? "client" : "server";
  return [{ name: printable(name), ...statedValue(latest), other: other && { ...statedValue(other), by } }];
}

function statedValue({ value, at }: Stated): StatedValue {
  return { value: valueText(value), number: at.number };
}

function titleOf({ title, type }: GraphNode): string {
  return printable(title === "" ? type : title);
}

function markOf({ isSeen, isDeleted, staleSince, asked }: GraphNode): string {
  const marks = [
    isDeleted ? "deleted" : "",
    !isSeen && !isDeleted ? "never shown" : "",
    staleSince === undefined ? "" : `changed in #${staleSince.number}, not fetched since`,
    asked === undefined ? "" : `change of #${asked.at.number} not confirmed`,
  ];
  return marks.filter((mark) => mark !== "").join("; ");
}
