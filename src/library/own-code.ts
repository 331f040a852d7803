import type { Pause } from "../pipeline/read-captures.js";

/**
 * Calls the functions of a program that uses the library: what one throws is no error of a dissector, but ends the run,
 * which fails with it.
 */
export class OwnCode {
  #failure: { readonly error: unknown } | undefined;

  /** The same function, which is not called any more once one has failed. @param instead what is returned then */
  guard<A extends readonly unknown[], T>(act: (...args: A) => T, instead: T): (...args: A) => T {
    return (...args) => {
      if (this.#failure !== undefined) return instead;
      try {
        return act(...args);
      } catch (error) {
        this.#failure = { error };
        return instead;
      }
    };
  }

  /** The same pause, which also ends the reading once a function has failed. */
  pause(pause: Pause | undefined): Pause {
    return (place) => (this.#failure === undefined ? pause?.(place) : false);
  }

  /** Returns what a run has come to. @throws whatever a function has thrown */
  whole<T>(result: T): T {
    if (this.#failure !== undefined) throw this.#failure.error;
    return result;
  }
}
