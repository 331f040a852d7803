import type { Random } from "../support/random.js";

/** A place where changed bytes are fed to the program. */
export interface Level {
  readonly name: string;
  /** The last input, in readable form. */
  readonly input: string;
  /**
   * Makes an input, feeds it to the program and checks the result.
   *
   * @returns its length in bytes
   * @throws whatever is wrong
   */
  run(random: Random): number | Promise<number>;
}
