/** Turns a 64-bit count of ticks into seconds and nanoseconds. The result stays in the object until the next call. */
export interface TickClock {
  seconds: number;
  nanoseconds: number;
  /** @param high @param low the upper and lower 32 bits of the count, unsigned. */
  read(high: number, low: number): void;
}

/**
 * The clock of an interface.
 * @param resolution value of if_tsresol: 10^-n seconds, or 2^-n where the top bit is set (pcapng draft, section 4.2).
 * @param offset value of if_tsoffset in seconds.
 */
export function tickClock(resolution: number, offset: number): TickClock {
  const exponent = resolution & 0x7f;
  if ((resolution & 0x80) === 0 && exponent <= 9) return new DecimalClock(exponent, offset);
  return new BigClock((resolution & 0x80) === 0 ? 10n ** BigInt(exponent) : 2n ** BigInt(exponent), offset);
}

/** 10^-9 seconds and coarser: long division in base 2^16, where every step is exact in a double. */
class DecimalClock implements TickClock {
  seconds = 0;
  nanoseconds = 0;
  readonly #ticks: number;
  readonly #nanosecondsPerTick: number;
  readonly #offset: number;

  constructor(exponent: number, offset: number) {
    this.#ticks = 10 ** exponent;
    this.#nanosecondsPerTick = 10 ** (9 - exponent);
    this.#offset = offset;
  }

  read(high: number, low: number): void {
    const ticks = this.#ticks;
    const middle = (high % ticks) * 0x10000 + (low >>> 16);
    const last = (middle % ticks) * 0x10000 + (low & 0xffff);
    const seconds = Math.floor(high / ticks) * 0x1_0000_0000 + Math.floor(middle / ticks) * 0x10000;
    this.seconds = seconds + Math.floor(last / ticks) + this.#offset;
    this.nanoseconds = (last % ticks) * this.#nanosecondsPerTick;
  }
}

/** Powers of two and resolutions finer than a nanosecond, which few recorders write. */
class BigClock implements TickClock {
  seconds = 0;
  nanoseconds = 0;
  readonly #ticks: bigint;
  readonly #offset: number;

  constructor(ticks: bigint, offset: number) {
    this.#ticks = ticks;
    this.#offset = offset;
  }

  read(high: number, low: number): void {
    const count = (BigInt(high) << 32n) | BigInt(low);
    this.seconds = Number(count / this.#ticks) + this.#offset;
    this.nanoseconds = Number(((count % this.#ticks) * 1_000_000_000n) / this.#ticks);
  }
}
