import type { Conversation, Origin } from "../../src/network/conversation.js";
import type { Random } from "../support/random.js";
import type { Level } from "./level.js";
import { firstDifference, Mutator } from "./mutate.js";
import type { OutputCheck } from "./outputs.js";
import { CheckedRun, Depth, depthFor, type Seen } from "./run.js";
import { indices } from "./seeds.js";
import { Finding } from "./soundness.js";
import type { Piece, Talk } from "./talks.js";

/** The bytes of conversations with one piece changed, fed to the session room as the network room would. */
export class Plaintext implements Level {
  readonly name = "plaintext";
  input = "";
  readonly #mutator: Mutator;
  readonly #sound = new Map<Talk, readonly Seen[]>();

  constructor(
    readonly talks: readonly Talk[],
    readonly outputs: OutputCheck,
  ) {
    this.#mutator = new Mutator(
      talks.flatMap(({ pieces }) => pieces.map(({ bytes }) => bytes)),
      indices,
    );
  }

  run(random: Random): number {
    const talk = random.pick(this.talks);
    const at = random.below(talk.pieces.length);
    const piece = talk.pieces[at];
    if (piece === undefined) return 0;
    const bytes = this.#mutator.mutated(piece.bytes, random);
    const changed = { ...piece, bytes };
    // Keeps none, some or all of what follows.
    const behind = random.chance(6) ? talk.pieces.slice(at + 1) : [];
    const pieces = [...talk.pieces.slice(0, at), changed, ...behind];
    this.input = `${talk.from}, piece ${at}: ${Buffer.from(bytes).toString("hex")}`;
    const run = this.#dissect(talk, random.chance(2) ? inBits(pieces, random) : pieces, depthFor(random));
    let damage = firstDifference(piece.bytes, bytes);
    for (const earlier of talk.pieces.slice(0, at)) {
      if (earlier.direction === piece.direction) damage += earlier.bytes.length;
    }
    if (talk.transport === "tcp") this.#compare(talk, piece.direction, damage, run);
    return pieces.reduce((sum, piece) => sum + piece.bytes.length, 0);
  }

  /** Checks that what ends before the damage is the same without it. */
  #compare(talk: Talk, direction: Piece["direction"], damage: number, run: CheckedRun): void {
    let sound = this.#sound.get(talk);
    if (sound === undefined) {
      sound = this.#dissect(talk, talk.pieces, Depth.Turned).seen;
      this.#sound.set(talk, sound);
    }
    const before = (seen: readonly Seen[]) => {
      const there = seen.filter((one) => one.direction === direction && one.end < damage);
      // The extent of a message without a known end depends on the pieces in which it arrives.
      const strange = there.findIndex(({ status }) => status !== "ok");
      return (strange < 0 ? there : there.slice(0, strange)).map(({ text }) => text);
    };
    const found = before(run.seen);
    for (const [index, text] of before(sound).entries()) {
      if (found[index] !== text) throw new Finding(`before the damage at ${damage}, ${text} becomes ${found[index]}`);
    }
  }

  #dissect({ transport, client, server, keys }: Talk, pieces: readonly Piece[], depth: Depth): CheckedRun {
    const run = new CheckedRun(keys, depth, this.outputs, { comparesFields: transport === "tcp" });
    const { network } = run;
    const origin: Origin = { frame: 1, seconds: 1, nanoseconds: 0 };
    const payloadBytes = { c2s: 0, s2c: 0 };
    const conversation: Conversation = {
      stream: 0,
      transport,
      client,
      server,
      clientIsKnown: true,
      path: "",
      packets: { c2s: 0, s2c: 0 },
      payloadBytes,
      missingBytes: { c2s: 0, s2c: 0 },
      unaccepted: { c2s: 0, s2c: 0 },
      first: origin,
      last: origin,
    };
    const flip = () => {
      throw new Finding("client and server are exchanged, though it is known who they are");
    };
    const listener = network.opened(conversation, origin, { flip });
    for (const { direction, bytes } of pieces) {
      run.frame++;
      const from = { frame: run.frame, seconds: run.frame, nanoseconds: 0 };
      payloadBytes[direction] += bytes.length;
      if (transport === "udp") listener.datagram(direction, bytes, 0, from);
      else if (bytes.length > 0) listener.bytes(direction, bytes, from);
    }
    listener.closed("capture-end");
    run.verdict();
    return run;
  }
}

/** The same bytes in smaller pieces. */
function inBits(pieces: readonly Piece[], random: Random): Piece[] {
  const least = random.pick([1, 3, 50]);
  return pieces.flatMap(({ direction, bytes }) => {
    const bits: Piece[] = [];
    for (let at = 0; at < bytes.length; ) {
      const end = at + least + random.below(2 * least);
      bits.push({ direction, bytes: bytes.subarray(at, end) });
      at = end;
    }
    return bits;
  });
}
