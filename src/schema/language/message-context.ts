/** How a message answers an earlier one of its conversation. */
export interface Answer {
  /** The earlier message: its number, and the name of its struct, or the one that its `asks` gave. */
  readonly number: number;
  readonly name: string;
  /** Time between the two; undefined if the capture has the answer first. */
  readonly milliseconds: number | undefined;
  /** False for further parts of an answer. */
  readonly isFirst: boolean;
  /** True if the earlier message only asked whether the other end is there. */
  readonly isPing: boolean;
}

/** The answer to a message: its number, the name of its struct, and the time between the two. */
export type AnsweredBy = Pick<Answer, "number" | "name" | "milliseconds">;

/** Something that can have a name, as passed to `NameLookup`. */
export interface Referent {
  readonly kind: string;
  readonly id: string;
  /** What people call such an id, as the title of a column: "KI number". */
  readonly idTitle?: string;
}

/**
 * What an error means to a player: thrown out (`kick`), not let in (`refusal`), or not let in because of a program of
 * another version (`version`).
 */
export const playerTroubles = ["kick", "refusal", "version"] as const;
/** What an error means to a player. */
export type PlayerTrouble = (typeof playerTroubles)[number];

/** A version that one end says it has. */
export interface StatedVersion {
  /** Of what: "build". Those of one kind should be the same throughout a recording. */
  readonly of: string;
  readonly value: string;
}

/** The context of a message: what a dissector knows about the conversation that it is part of, for statistics. */
export interface MessageContext {
  /** Who plays. */
  readonly player?: Referent | undefined;
  /** Where: the part of the game in which the players meet, such as a level or a room. */
  readonly place?: Referent | undefined;
  readonly answers?: Answer | undefined;
  /** The first part of the answer to it, where that is known already: see `RunHooks.answeredBy`. */
  readonly answeredBy?: AnsweredBy | undefined;
  /**
   * True if the message asks for an answer, to be matched by `answers` on the first part of that answer. Where one
   * struct stands for many kinds of requests: the name of this kind, which then has to be that in `answers`, too.
   */
  readonly asks?: boolean | string | undefined;
  /** An earlier message that asked for an answer, for which it will never be known whether one came. */
  readonly forgets?: Pick<Answer, "name" | "number"> | undefined;
  /** Name of the error that the message reports. */
  readonly error?: string | undefined;
  /** What the error means to a player, where it is more than one request that failed. */
  readonly trouble?: PlayerTrouble | undefined;
  readonly version?: StatedVersion | undefined;
}

/** @deprecated The old name of `MessageContext`. */
export type Circumstances = MessageContext;
