import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

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
  let next = 0;
  const work = async () => {
    for (;;) {
      const at = next++;
      const args = runs[at];
      if (args === undefined) return;
      codes[at] = await inProcess(program, args, heard, say);
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, runs.length) }, work));
  return codes;
}

function inProcess(
  program: string,
  args: readonly string[],
  heard: (line: string) => void,
  say: (text: string) => void,
): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "inherit", "pipe"] });
    createInterface({ input: child.stderr }).on("line", heard);
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
