import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** What one run of a program costs. */
export interface Cost {
  /** Wall-clock time, in seconds. */
  readonly seconds: number;
  /** Processor time of all threads together, in seconds; undefined where the system does not report it. */
  readonly processor: number | undefined;
  /** Peak memory, in bytes; undefined where the system does not report it. */
  readonly memory: number | undefined;
}

/** How often a running program's usage is sampled, in milliseconds. */
const INTERVAL = 4;
/** Linux counts processor time in hundredths of a second. */
const TICKS = 100;

/** True if a program can be started; its output is ignored. */
export function isThere(program: string, ...words: readonly string[]): boolean {
  return spawnSync(program, words, { stdio: "ignore" }).status === 0;
}

/** Runs a program to its end, discarding its output. Throws if it fails. */
export async function run(program: string, words: readonly string[]): Promise<Cost> {
  const start = performance.now();
  const child = spawn(program, words, { stdio: ["ignore", "ignore", "pipe"] });
  let complaint = "";
  child.stderr.on("data", (text) => {
    complaint += text;
  });
  let usage: { readonly processor: number; readonly memory: number } | undefined;
  const timer = setInterval(() => {
    usage = usageOf(child.pid) ?? usage;
  }, INTERVAL);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", resolve);
    });
    if (code !== 0) throw new Error(`${program} ${words.join(" ")} ended with ${code}: ${complaint}`);
  } finally {
    clearInterval(timer);
  }
  const seconds = (performance.now() - start) / 1000;
  return { seconds, processor: usage?.processor, memory: usage?.memory };
}

/** What a process has used so far. Only Linux has these files. */
function usageOf(id: number | undefined): { readonly processor: number; readonly memory: number } | undefined {
  try {
    const status = readFileSync(`/proc/${id}/status`, "utf8");
    const [, kilobytes] = /^VmHWM:\s*(\d+)/m.exec(status) ?? [];
    // After the program's name in parentheses, which may contain anything.
    const fields = readFileSync(`/proc/${id}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    if (kilobytes === undefined) return undefined;
    return { processor: (Number(fields[11]) + Number(fields[12])) / TICKS, memory: Number(kilobytes) * 1024 };
  } catch {
    return undefined;
  }
}

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
