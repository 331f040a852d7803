import type { Random } from "../schema/support/random.js";

/** A place at which changed bytes are given to the program. */
export interface Level {
  readonly name: string;
  /** The last input, for people. */
  readonly input: string;
  /**
   * Makes an input, gives it to the program and checks what comes of it.
   *
   * @returns its length in bytes
   * @throws whatever is wrong
   */
  run(random: Random): number | Promise<number>;
}
