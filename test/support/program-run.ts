import { spawn } from "node:child_process";

/** How a run of the program has ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of this package with nothing on standard input. */
export function ranProgram(program: string, args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...args], { env: {} });
  child.stdin.end();
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
    });
  }
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, ...texts })));
}
