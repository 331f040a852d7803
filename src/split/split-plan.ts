import type { Packet } from "../capture/packet.js";
import type { Dissector } from "../dissector/dissector.js";
import type { CarriedEnds, Conversation, Origin, Transport } from "../network/conversation.js";
import { type FrameOrder, frameOrderOf } from "../network/frame-order.js";
import type { LearntName, NameChange } from "../session/name-book.js";
import type { NetworkObserver } from "../session/observer.js";
import type { RecognisedConversation } from "../session/recognised-conversation.js";
import { type Flow, Flows } from "./flows.js";

/** By what a capture is split. */
export const splittings = ["conversation", "size"] as const;

/** How a capture is split. */
export interface Splitting {
  readonly by: (typeof splittings)[number];
  /** About how many bytes of packets go into a part, where it is split by size. */
  readonly size: number;
  /** The most parts that it is split into. */
  readonly most: number;
  /** True to leave out what has no wanted message, and need not stay with anything that has. */
  readonly onlyWanted: boolean;
}

/** A part of a capture. */
export interface Part {
  readonly conversations: number;
  /** Bytes of its packets. */
  readonly bytes: number;
}

/** A name that a message has taught. */
interface Lesson extends LearntName {
  /** Where the message is. */
  readonly frameOrder: FrameOrder;
  readonly flow: Flow;
}

/** What `SplitPlan` has to know of a message. */
interface Taught {
  readonly conversation: Conversation;
  readonly origin: Origin;
}

/**
 * The first reading of a capture that is to be split: which packets have to stay together so that the messages in them
 * are the same as in the whole, and which names are learnt where.
 */
export class SplitPlan {
  readonly flows = new Flows();
  readonly #byConversation = new Map<Conversation, Flow>();
  #lessons: Lesson[] = [];
  /** Names that the next message teaches: it is passed on after them. */
  #pending: LearntName[] = [];
  /** The flows of the current packet: a fragment's, and that of what it completes. */
  #current: Flow | undefined;
  #fragment: { readonly frame: number; readonly flow: Flow } | undefined;

  /** @param ended called with the flow of a recognised conversation that has ended */
  constructor(readonly ended: (flow: Flow, session: RecognisedConversation) => void = () => {}) {}

  readonly network: NetworkObserver = {
    carries: (what, ends, packet) => this.#carries(what, ends, packet),
    opened: (conversation) => {
      const flow = this.#current;
      if (flow === undefined) return undefined;
      flow.conversations++;
      this.#byConversation.set(conversation, flow);
      return {
        recognised: ({ recognisedBy }) => {
          flow.isRecognised = true;
          if (recognisedBy.announces === true) flow.announces = recognisedBy;
        },
        forgotten: () => void this.#byConversation.delete(conversation),
        dissected: (session) => {
          this.ended(flow, session);
          this.#byConversation.delete(conversation);
        },
      };
    },
  };

  readonly onName = ({ name: dissector }: Dissector, change: NameChange): void => {
    this.#pending.push({ dissector, ...change });
  };

  readonly message = ({ conversation, origin }: Taught): void => {
    if (this.#pending.length === 0) return;
    const flow = this.#byConversation.get(conversation);
    if (flow === undefined) return;
    const frameOrder = frameOrderOf(origin);
    for (const name of this.#pending.splice(0)) this.#lessons.push({ ...name, frameOrder, flow });
  };

  /** Notes that a message in a conversation is wanted. */
  want(conversation: Conversation): void {
    const flow = this.#byConversation.get(conversation);
    if (flow !== undefined) flow.isWanted = true;
  }

  /** The names that were learnt, in the order of the capture. */
  get lessons(): readonly Lesson[] {
    return this.#lessons;
  }

  #carries(what: Transport | "fragment", ends: CarriedEnds, packet: Packet): void {
    const { frame, data } = packet;
    const flow = this.flows.of(what, ends, frame);
    this.#current = flow;
    const fragment = this.#fragment?.frame === frame ? this.#fragment.flow : undefined;
    if (fragment !== undefined) fragment.stayWith(flow);
    else {
      flow.packets++;
      flow.bytes += data.length;
    }
    if (what === "fragment") this.#fragment = { frame, flow };
  }

  /**
   * Decides which flow goes to which part. The last one is for packets of no flow and, unless it is split by size, for
   * what no dissector recognises; there may be none of these. Flows that are not wanted go to no part.
   */
  parts({ by, size, most, onlyWanted }: Splitting): readonly Part[] {
    this.#lessons.sort((one, other) => one.frameOrder - other.frameOrder);
    this.#keepAnnouncedTogether();
    const groups = new Map<Flow, Flow[]>();
    for (const flow of this.flows.all) {
      const group = groups.get(flow.group);
      if (group === undefined) groups.set(flow.group, [flow]);
      else group.push(flow);
    }
    const parts: { conversations: number; bytes: number }[] = [];
    const rest: Flow[] = [];
    for (const flows of groups.values()) {
      if (onlyWanted && !flows.some(({ isWanted }) => isWanted)) continue;
      if (by === "conversation" && !flows.some(({ isRecognised }) => isRecognised)) {
        rest.push(...flows);
        continue;
      }
      const bytes = sum(flows.map((flow) => flow.bytes));
      const last = parts.at(-1);
      const fits = by === "size" && last !== undefined && last.bytes + bytes <= size;
      if (last === undefined || (!fits && parts.length < most)) parts.push({ conversations: 0, bytes: 0 });
      this.#assign(flows, parts);
    }
    parts.push({ conversations: 0, bytes: 0 });
    this.#assign(rest, parts);
    return parts;
  }

  /** Puts flows into the last part. */
  #assign(flows: readonly Flow[], parts: { conversations: number; bytes: number }[]): void {
    const last = parts.at(-1);
    if (last === undefined) return;
    for (const flow of flows) {
      flow.part = parts.length - 1;
      last.conversations += flow.conversations;
      last.bytes += flow.bytes;
    }
  }

  /**
   * Where a dissector says that its conversations tell what others are, all of them stay together: nothing shows which of
   * them others have listened to. So does what was not recognised between the same hosts, as that may be the reason.
   */
  #keepAnnouncedTogether(): void {
    const hosts = new Map<string, Flow>();
    const announcing = new Map<Dissector, Flow>();
    for (const flow of this.flows.all) {
      const { announces } = flow;
      if (announces === undefined) continue;
      announcing.get(announces)?.stayWith(flow);
      announcing.set(announces, flow);
      for (const address of flow.addresses) hosts.set(address, flow);
    }
    for (const flow of this.flows.all) {
      if (flow.isRecognised) continue;
      for (const address of flow.addresses) hosts.get(address)?.stayWith(flow);
    }
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
