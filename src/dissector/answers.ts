import type { DecodedTree } from "../schema/language/field-tree.js";
import type { Answer } from "../schema/language/message-context.js";

/** An earlier message, and when its last byte was captured. */
export interface Passed {
  /** Name of its type or, for a request, the one that its `asks` gave. */
  readonly name: string;
  readonly number: number;
  readonly seconds: number;
  readonly nanoseconds: number;
}

/** What else is known about an answer. */
export interface AnswerOptions {
  /** The field that shows which message is answered; negative if there is none. */
  readonly leaf?: number;
  /** False for further parts of an answer. */
  readonly isFirst?: boolean;
  /** True if the earlier message only asked whether the other end is there. */
  readonly isPing?: boolean;
}

/** Says that a message answers an earlier one: to people, and to `stats`, filters and columns. */
export function markAnswer(
  nodes: DecodedTree,
  request: Passed,
  answer: Passed,
  { leaf = -1, isFirst = true, isPing = false }: AnswerOptions = {},
): void {
  annotateLink(nodes, leaf, "answers", request, answer);
  nodes.context = { ...nodes.context, answers: answerTo(request, answer, { isFirst, isPing }) };
}

/** What the context of an answer says about it. */
export function answerTo(
  request: Passed,
  answer: Passed,
  { isFirst, isPing }: Required<Omit<AnswerOptions, "leaf">>,
): Answer {
  const { number, name } = request;
  const milliseconds = millisecondsBetween(request, answer);
  return { number, name, milliseconds: milliseconds < 0 ? undefined : milliseconds, isFirst, isPing };
}

/** Says for people, in the summary and at a field, that a message belongs to an earlier one. */
export function annotateLink(nodes: DecodedTree, leaf: number, verb: string, earlier: Passed, later: Passed): void {
  const { name, number } = earlier;
  const milliseconds = millisecondsBetween(earlier, later);
  // A capture of several interfaces need not be in order.
  const isKnown = milliseconds >= 0;
  if (leaf >= 0) {
    nodes.annotate(leaf, () => `${verb} #${number} ${name}${isKnown ? ` after ${milliseconds.toFixed(3)} ms` : ""}`);
  }
  nodes.annotate(0, () => `#${number}${isKnown ? `, ${rounded(milliseconds)} ms` : ""}`);
}

type Time = Pick<Passed, "seconds" | "nanoseconds">;

/** Time from one message to another; negative if the capture has the later one first. */
export function millisecondsBetween(from: Time, to: Time): number {
  return (to.seconds - from.seconds) * 1e3 + (to.nanoseconds - from.nanoseconds) / 1e6;
}

/** Two digits are enough to compare at a glance. */
function rounded(milliseconds: number): number {
  if (milliseconds >= 10) return Math.round(milliseconds);
  let scale = 10;
  while (scale < LARGEST_SCALE && milliseconds * scale < 10) scale *= 10;
  const digits = milliseconds * scale;
  // Which way a tie goes, decimal digits decide, which a double need not have. They take several times as long.
  const isClear = digits >= 10 && Math.abs(digits - Math.floor(digits) - 0.5) > 1e-6;
  return isClear ? Math.round(digits) / scale : Number(milliseconds.toPrecision(2));
}

/** Enough for a nanosecond, the shortest time between two packets. */
const LARGEST_SCALE = 1e7;
