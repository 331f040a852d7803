/** How a message belongs to an earlier one of its conversation that it answers. */
export interface Answer {
  /** The earlier message. */
  readonly number: number;
  readonly name: string;
  /** Time since then; undefined if the capture has the answer first. */
  readonly milliseconds: number | undefined;
  /** False for further parts of an answer. */
  readonly isFirst: boolean;
  /** Nothing was asked but whether the other end is there. */
  readonly isPing: boolean;
}

/** Something that names are known for, as `NameLookup` takes it. */
export interface Referent {
  readonly kind: string;
  readonly id: string;
}

/** What a dissector knows of the conversation that a message is part of, for statistics. */
export interface Circumstances {
  /** Who plays. */
  readonly player?: Referent | undefined;
  /** Where: the instance of an age, or of whatever a game is divided into. */
  readonly age?: Referent | undefined;
  readonly answers?: Answer | undefined;
  /** True if the message asks for an answer: with it `answers` of the first part of one is counted. */
  readonly asks?: boolean | undefined;
  /** An earlier message that asked for an answer, and of which it will not be known whether one came. */
  readonly forgets?: Pick<Answer, "name" | "number"> | undefined;
  /** Name of the error that the message reports. */
  readonly error?: string | undefined;
}
