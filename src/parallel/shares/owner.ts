/** Of the multiples of the number of threads, this divides best what comes in turns of up to eight. */
const BASE = 5;

/**
 * The thread that dissects a conversation, by the sum of the digits of its number in a system whose base is a multiple
 * of the number of threads. So conversations of kinds that take turns, such as those of a client with several servers, are
 * divided evenly, too.
 */
export function ownerOf(stream: number, threads: number): number {
  const base = BASE * threads;
  let sum = 0;
  for (let left = stream; left > 0; left = Math.floor(left / base)) sum += left % base;
  return threads - 1 - (sum % threads);
}
