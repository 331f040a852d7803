import { Random } from "../support/random.js";
import type { Level } from "./level.js";
import { Finding } from "./soundness.js";

/**
 * Milliseconds that an input may take, including all checks, and for each KiB of it. Anything inherently slow takes far
 * longer; a slow or busy machine takes five times as long as a fast one.
 */
const ANYHOW = 500;
const PER_KIB = 15;
/** How often a slower input is retried, measured in processor time: the machine may have been the cause. */
const TRIES = 3;

/** How a run over some inputs went. */
export interface Tally {
  readonly level: string;
  inputs: number;
  bytes: number;
  seconds: number;
  /** The input that took longest. */
  slowest: { readonly index: number; readonly bytes: number; readonly milliseconds: number };
  readonly findings: { readonly index: number; readonly error: unknown; readonly input: string }[];
}

interface Range {
  readonly seed: number;
  /** The first input. */
  readonly from: number;
  readonly count: number;
}

/** Two clocks, in milliseconds. */
interface Clock {
  readonly now: () => number;
  /** The processor time of this process. */
  readonly spent: () => number;
}

const realClock: Clock = {
  now: () => performance.now(),
  spent: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};

interface RunnerOptions {
  /** The number of findings that ends the run. */
  readonly mostFindings?: number;
  /** Milliseconds that an input of no size may take. */
  readonly anyhow?: number;
  readonly clock?: Clock;
  /** Called now and then. */
  readonly told?: (tally: Tally) => void;
  /** Called before each input, with its number. */
  readonly begins?: (index: number) => void;
}

/**
 * Runs inputs of a level. Each input follows from the seed and its number alone, so that it can be run again on its
 * own.
 */
export async function runLevel(
  level: Level,
  { seed, from, count }: Range,
  { mostFindings = 10, anyhow = ANYHOW, clock = realClock, told, begins }: RunnerOptions = {},
): Promise<Tally> {
  const slowest = { index: from, bytes: 0, milliseconds: 0 };
  const tally: Tally = { level: level.name, inputs: 0, bytes: 0, seconds: 0, slowest, findings: [] };
  const start = clock.now();
  let before = start;
  for (let index = from; index < from + count && tally.findings.length < mostFindings; index++) {
    let bytes = 0;
    begins?.(index);
    try {
      const ran = level.run(randomOf(seed, index));
      bytes = typeof ran === "number" ? ran : await ran;
    } catch (error) {
      tally.findings.push({ index, error, input: level.input });
    }
    tally.inputs++;
    tally.bytes += bytes;
    const now = clock.now();
    const milliseconds = now - before;
    before = now;
    if (milliseconds > tally.slowest.milliseconds) tally.slowest = { index, bytes, milliseconds };
    const most = anyhow + (PER_KIB * bytes) / 1024;
    if (milliseconds > most && !(await isFast(level, seed, index, most, clock))) {
      const error = new Finding(`${bytes} bytes take ${Math.round(milliseconds)} ms`);
      tally.findings.push({ index, error, input: "" });
    }
    if (tally.inputs % 4096 === 0) {
      tally.seconds = (now - start) / 1000;
      told?.(tally);
    }
  }
  tally.seconds = (clock.now() - start) / 1000;
  return tally;
}

async function isFast(level: Level, seed: number, index: number, most: number, clock: Clock): Promise<boolean> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const start = clock.spent();
    try {
      await level.run(randomOf(seed, index));
    } catch {
      // Already reported.
    }
    if (clock.spent() - start <= most) return true;
  }
  return false;
}

function randomOf(seed: number, index: number): Random {
  return new Random(Math.imul(seed, 0x85ebca6b) ^ Math.imul(index + 1, 0x9e3779b1));
}
