import type { Direction } from "../network/conversation.js";

/** A dissector threw an error, or returned something that makes no sense, outside a conversation. */
export class DissectorFailure extends Error {
  constructor(
    readonly dissector: string,
    override readonly cause: unknown,
  ) {
    super(`the dissector "${dissector}" failed`);
  }
}

/**
 * Runs code that calls a dissector.
 *
 * @throws DissectorFailure
 */
export function blaming<T>(dissector: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new DissectorFailure(dissector, error);
  }
}

/** An error of this program or of a dissector, not of the capture: what was thrown, and where it happened. */
export interface InternalError {
  readonly error: unknown;
  /** Name of the dissector that was at work. */
  readonly dissector: string;
  readonly stream: number;
  readonly direction: Direction;
  /** Offset in the direction's stream. */
  readonly offset: number;
}
