import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { undoneAtEnd } from "../run/interrupt.js";

/**
 * Runs this program once for each list of arguments, at most `jobs` at the same time; returns their exit codes.
 *
 * @param heard called with each line that one of them says
 * @param say called with what is to be said of the runs themselves
 */
export async function inProcesses(
  program: string,
  runs: readonly (readonly string[])[],
  jobs: number,
  heard: (line: string) => void,
  say: (text: string) => void,
): Promise<number[]> {
  const codes: number[] = [];
  const running = new Set<ChildProcess>();
  let next = 0;
  const work = async () => {
    for (;;) {
      const at = next++;
      const args = runs[at];
      if (args === undefined) return;
      const child: ChildProcess = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "inherit", "pipe"] });
      running.add(child);
      // Missing where there are too many open files to start it.
      if (child.stderr) createInterface({ input: child.stderr }).on("line", heard);
      codes[at] = await exitCodeOf(child, say);
      running.delete(child);
    }
  };
  const workers = Array.from({ length: Math.min(jobs, runs.length) });
  // Whoever ends this process need not have told the others.
  const endAll = () => {
    for (const child of running) child.kill();
  };
  await undoneAtEnd(endAll, () => Promise.all(workers.map(work)));
  return codes;
}

function exitCodeOf(child: ChildProcess, say: (text: string) => void): Promise<number> {
  return new Promise((resolve) => {
    child.on("error", (error) => {
      say(`another process cannot be started: ${error.message}`);
      resolve(70);
    });
    child.on("close", (code, signal) => {
      if (signal !== null) say(`a process that exported a capture was ended by ${signal}; run the command again`);
      resolve(code ?? 70);
    });
  });
}
