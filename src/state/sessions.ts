import type { Party, PresenceEvent, StepEvent } from "../dissector/state-event.js";
import type { Conversation, Direction, EndReason, Origin } from "../network/conversation.js";
import type { Moment } from "./moment.js";

/** A step of a client, with what became of it. */
export interface Step {
  readonly step: string;
  readonly protocol: string;
  readonly asked: Moment;
  /** When it was granted or refused; undefined if nobody knows. */
  answered: Moment | undefined;
  outcome: StepEvent["outcome"];
  detail: string | undefined;
  error: string | undefined;
  /** Who is asked for, and where to. */
  player: Party | undefined;
  place: Party | undefined;
}

/** A conversation as a part of somebody's session. */
export interface SessionPart {
  readonly conversation: Conversation;
  protocol: string;
  player: Party | undefined;
  readonly steps: Step[];
  /** The last message. */
  last: Moment | undefined;
  ended: { readonly reason: EndReason; readonly by: Direction | undefined; readonly at: Origin } | undefined;
}

/** Somebody who came to a place or left it, as others there were told. */
export interface Presence {
  readonly at: Moment;
  readonly player: Party;
  readonly isThere: boolean;
}

/** Everything of one player, or of a client of which no player is known. */
export interface PlayerSession {
  /** Undefined before anybody is chosen. */
  readonly player: Party | undefined;
  /** The client's address. */
  readonly address: string;
  readonly parts: readonly SessionPart[];
}

/** Who played when: the steps of all conversations, put together by player. */
export class Sessions {
  readonly #parts = new Map<Conversation, SessionPart>();
  readonly presences: Presence[] = [];
  /** Whether somebody is there, as a conversation was told last. */
  readonly #there = new Map<string, boolean>();

  /** Takes any message, whatever it means. */
  seen(conversation: Conversation, protocol: string, player: Party | undefined, at: Moment): void {
    const part = this.#partOf(conversation);
    part.protocol = protocol;
    part.last = at;
    if (player !== undefined) part.player = player;
  }

  /** Who plays in a conversation, as far as that is known. */
  playerIn(conversation: Conversation): Party | undefined {
    return this.#parts.get(conversation)?.player;
  }

  step(conversation: Conversation, protocol: string, event: StepEvent, at: Moment): void {
    const part = this.#partOf(conversation);
    const { step, outcome, answers, detail, error, player, place } = event;
    if (outcome === "asked") {
      part.steps.push({ step, protocol, asked: at, answered: undefined, outcome, detail, error, player, place });
      if (player !== undefined) part.player = player;
      return;
    }
    const open = part.steps.findLast(
      (one) => one.step === step && one.outcome === "asked" && (answers === undefined || one.asked.number === answers),
    );
    if (open === undefined) {
      // A reply whose request was not recorded, or something that nobody asked for.
      part.steps.push({ step, protocol, asked: at, answered: at, outcome, detail, error, player, place });
      return;
    }
    open.answered = at;
    open.outcome = outcome;
    open.error = error;
    open.place = place ?? open.place;
  }

  presence({ player, isThere }: PresenceEvent, at: Moment): void {
    const key = `${at.stream} ${player.id}`;
    if (this.#there.get(key) === isThere) return;
    this.#there.set(key, isThere);
    this.presences.push({ at, player, isThere });
  }

  /** Who came and went, by the number of the conversation that was told so. */
  get presencesByStream(): ReadonlyMap<number, readonly Presence[]> {
    const found = new Map<number, Presence[]>();
    for (const presence of this.presences) {
      const { stream } = presence.at;
      const together = found.get(stream) ?? [];
      found.set(stream, together);
      together.push(presence);
    }
    return found;
  }

  closed(conversation: Conversation, reason: EndReason, by: Direction | undefined): void {
    const part = this.#parts.get(conversation);
    if (part !== undefined) part.ended = { reason, by, at: conversation.last };
  }

  /** The sessions in the order in which they began; conversations before a player is known are a client's own. */
  get all(): readonly PlayerSession[] {
    const byPlayer = new Map<
      string,
      { readonly player: Party | undefined; readonly address: string; readonly parts: SessionPart[] }
    >();
    for (const part of this.#parts.values()) {
      const { player, conversation } = part;
      const { address } = conversation.client;
      const key = player === undefined ? `address ${address}` : `player ${player.id}`;
      const session = byPlayer.get(key) ?? { player, address, parts: [] };
      byPlayer.set(key, session);
      session.parts.push(part);
    }
    return [...byPlayer.values()];
  }

  #partOf(conversation: Conversation): SessionPart {
    let part = this.#parts.get(conversation);
    if (part === undefined) {
      part = { conversation, protocol: "", player: undefined, steps: [], last: undefined, ended: undefined };
      this.#parts.set(conversation, part);
    }
    return part;
  }
}
