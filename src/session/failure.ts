import type { Direction } from "../network/conversation.js";

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
