import type { Random } from "../support/random.js";

/** Maximum length of an input made by repetition. */
const LONGEST = 64 * 1024;

/** Numbers at which counts and lengths go wrong: signs, overflows, limits. */
const EDGES = [0, 1, 2, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x1_0000, 0xf_ffff, 0x7fff_ffff, 0xffff_ffff];

/** What must not reach a terminal, as UTF-8 and as UTF-16: escapes, controls, bidi, invisible characters, halves. */
const HOSTILE = "\u001b[2J\u009b1m\u202e\u2066\u2028\u0000\u200b\ufeff\u{e0041}";
const HOSTILE_TEXTS = [
  Buffer.from(HOSTILE, "utf8"),
  Buffer.from(`${HOSTILE}\ud83d\udc00\ud800`, "utf16le"),
  Uint8Array.of(0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0xf4, 0x90),
];

/** Turns valid bytes into invalid ones, in the ways of damage and malice. */
export class Mutator {
  readonly #indices: ReadonlySet<number>;

  /**
   * @param others bytes to splice in
   * @param indices class indices and message types, which are swapped for each other
   */
  constructor(
    readonly others: readonly Uint8Array[],
    readonly indices: readonly number[],
  ) {
    this.#indices = new Set(indices);
  }

  /** A changed copy: usually one change, at most four. */
  mutated(bytes: Uint8Array, random: Random): Uint8Array {
    let changed = this.#changed(bytes, random);
    for (let more = 0; more < 3 && random.chance(3); more++) changed = this.#changed(changed, random);
    return changed;
  }

  /** A copy of the same length with some bytes changed, at or after `offset`. */
  overwritten(bytes: Uint8Array, offset: number, random: Random): Uint8Array {
    const copy = Uint8Array.from(bytes);
    copy.set(random.bytes(Math.min(1 + random.below(8), copy.length - offset)), offset);
    return copy;
  }

  #changed(bytes: Uint8Array, random: Random): Uint8Array {
    const at = random.below(bytes.length + 1);
    switch (random.below(11)) {
      case 0:
        return bytes.slice(0, at);
      case 1:
        return flipped(bytes, random);
      case 2:
      case 3:
        return renumbered(bytes, random);
      case 4:
        return spliced(bytes, at, at, random.bytes(1 + random.below(8)));
      case 5:
        return spliced(bytes, at, Math.min(at + 1 + random.below(16), bytes.length), NOTHING);
      case 6:
        return repeated(bytes, at, random);
      case 7: {
        const other = random.pick(this.others);
        const from = random.below(other.length + 1);
        const length = 1 + random.below(64);
        const until = random.chance(5) ? at : Math.min(at + length, bytes.length);
        return spliced(bytes, at, until, other.subarray(from, from + length));
      }
      case 8:
        return this.#exchanged(bytes, at, random);
      case 9:
        return spliced(bytes, at, Math.min(at + random.below(32), bytes.length), random.pick(HOSTILE_TEXTS));
      default:
        return spliced(bytes, at, Math.min(at + random.below(16), bytes.length), random.bytes(random.below(16)));
    }
  }

  /** Replaces the next class index from a place on. */
  #exchanged(bytes: Uint8Array, at: number, random: Random): Uint8Array {
    for (let place = at; place + 2 <= bytes.length; place++) {
      if (!this.#indices.has((bytes[place] ?? 0) | ((bytes[place + 1] ?? 0) << 8))) continue;
      const index = random.pick(this.indices);
      return spliced(bytes, place, place + 2, Uint8Array.of(index & 0xff, index >> 8));
    }
    return flipped(bytes, random);
  }
}

const NOTHING = new Uint8Array(0);

function flipped(bytes: Uint8Array, random: Random): Uint8Array {
  const copy = Uint8Array.from(bytes);
  for (let times = 1 + random.below(4); times > 0 && copy.length > 0; times--) {
    const at = random.below(copy.length);
    copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8));
  }
  return copy;
}

/** Writes a number at an edge, or one slightly larger or smaller than the present one. */
function renumbered(bytes: Uint8Array, random: Random): Uint8Array {
  const width = random.pick([1, 2, 4]);
  if (bytes.length < width) return bytes;
  const copy = Uint8Array.from(bytes);
  const at = random.below(copy.length - width + 1);
  const isLittle = random.chance(8);
  const place = (index: number) => at + (isLittle ? index : width - 1 - index);
  let number = random.pick(EDGES);
  if (random.chance(4)) {
    number = 0;
    for (let index = 0; index < width; index++) number += (copy[place(index)] ?? 0) * 2 ** (8 * index);
    number += random.below(9) - 4;
  }
  for (let index = 0; index < width; index++) copy[place(index)] = Math.floor(number / 2 ** (8 * index));
  return copy;
}

/** Repeats a stretch: usually a few times, now and then often enough to make nested data deep. */
function repeated(bytes: Uint8Array, at: number, random: Random): Uint8Array {
  const stretch = bytes.subarray(at, at + 1 + random.below(48));
  const most = Math.max(Math.floor((LONGEST - bytes.length) / Math.max(stretch.length, 1)), 0);
  const times = Math.min(random.below(64) === 0 ? 1 + random.below(1000) : 1 + random.below(4), most);
  const more = new Uint8Array(stretch.length * times);
  for (let time = 0; time < times; time++) more.set(stretch, time * stretch.length);
  return spliced(bytes, at, at, more);
}

/** The bytes with a different part between two offsets. */
function spliced(bytes: Uint8Array, from: number, to: number, insert: Uint8Array): Uint8Array {
  const all = new Uint8Array(bytes.length - (to - from) + insert.length);
  all.set(bytes.subarray(0, from));
  all.set(insert, from);
  all.set(bytes.subarray(to), from + insert.length);
  return all;
}

/** The offset of the first byte that differs in two byte strings; the length of the shorter one if none does. */
export function firstDifference(one: Uint8Array, other: Uint8Array): number {
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one[at] === other[at]) at++;
  return at;
}
