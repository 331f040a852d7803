import type { Message } from "../../dissect/message.js";
import { absoluteTime } from "../../output/writers/time.js";
import { UsageError } from "../usage-error.js";

/**
 * Whether a message is no later than a moment: a number, or a time.
 *
 * @throws UsageError if it is neither
 */
export function untilMoment(text: string): (message: Message) => boolean {
  if (/^\d{1,10}$/.test(text)) {
    const number = Number(text);
    return (message) => message.number <= number;
  }
  if (!/^\d{4}-\d\d(-\d\d(T\d\d(:\d\d(:\d\d(\.\d+)?)?)?)?)?Z?$/.test(text)) {
    throw new UsageError(`${text} is neither the number of a message nor a time such as 2026-11-20T04:55:07.2`);
  }
  const wanted = text.replace(/Z$/, "");
  return ({ origin }) => absoluteTime(origin).slice(0, wanted.length) <= wanted;
}
