import type { Dissector } from "../dissector/dissector.js";
import type { IpAddress } from "../network/address.js";
import type { CarriedEnds, Transport } from "../network/conversation.js";

/**
 * All that is between the same two ends, whatever it came through: one conversation after the other, and stray packets
 * beside them. Or all fragments between two addresses, which do not show what they are part of.
 */
export class Flow {
  /** Another flow that it has to stay with, on the way to the one that stands for all of these. */
  #with: Flow | undefined;
  packets = 0;
  bytes = 0;
  /** Number of its conversations. */
  conversations = 0;
  /** True if any of them was recognised. */
  isRecognised = false;
  /** True if a message in one of them is wanted. */
  isWanted = false;
  /** The dissector that recognised one of them, if its conversations tell what others are. */
  announces: Dissector | undefined;
  /** The part that it goes to, once that is decided; -1 if to none. */
  part = -1;

  /** @param addresses of both ends. @param first frame */
  constructor(
    readonly addresses: readonly [string, string],
    readonly first: number,
  ) {}

  /** The flow that stands for all that have to stay together. */
  get group(): Flow {
    let last: Flow = this;
    while (last.#with !== undefined) last = last.#with;
    // The way is shorter next time.
    if (last !== this) this.#with = last;
    return last;
  }

  /** Makes two flows stay together, those before the later one's group. */
  stayWith(other: Flow): void {
    const [one, two] = [this.group, other.group];
    if (one === two) return;
    if (one.first <= two.first) two.#with = one;
    else one.#with = two;
  }
}

/** The flows of a capture, by what a packet shows. */
export class Flows {
  readonly #flows = new Map<string, Flow>();

  /** The flow of a packet; made if it is new. */
  of(what: Transport | "fragment", ends: CarriedEnds, frame: number): Flow {
    const key = keyOf(what, ends);
    let flow = this.#flows.get(key);
    if (flow === undefined) {
      flow = new Flow([addressKey(ends.source), addressKey(ends.destination)], frame);
      this.#flows.set(key, flow);
    }
    return flow;
  }

  /** In the order of their first packets. */
  get all(): Iterable<Flow> {
    return this.#flows.values();
  }
}

/** The same for both directions. */
function keyOf(what: string, { source, sourcePort, destination, destinationPort }: CarriedEnds): string {
  const one = `${addressKey(source)} ${sourcePort}`;
  const other = `${addressKey(destination)} ${destinationPort}`;
  return one < other ? `${what} ${one} ${other}` : `${what} ${other} ${one}`;
}

/** Faster than the address as people write it. */
function addressKey({ version, w0, w1, w2, w3 }: IpAddress): string {
  return version === 4 ? `${w3}` : `${w0},${w1},${w2},${w3}`;
}
