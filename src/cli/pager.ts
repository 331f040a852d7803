import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Writable } from "node:stream";

/** What git gives `less` to do: end where one screen is enough, pass colours on, leave the text on the screen. */
const LESS_OPTIONS = "FRX";

/** Exit codes of a shell that has not found a program, or cannot run it: that of Windows has none of its own for it. */
const CANNOT_START: ReadonlySet<number | null> = new Set(process.platform === "win32" ? [1, 9009] : [126, 127]);

/** A program that shows text page by page. */
export interface Pager {
  readonly input: Writable;
  /** True once the user has left it. */
  readonly isClosed: boolean;
  /** Settled when the user has left it, with a sentence if it could not do its work. */
  readonly closed: Promise<string | undefined>;
}

/**
 * The pager that a terminal wants, as git chooses it: PAGER, else `less` where it is installed, and can do its work: on
 * a terminal of no or little ability it would first wait for a key.
 *
 * @returns undefined if there is to be none: an empty PAGER, or `cat`
 */
export async function pagerCommand(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const wanted = env["PAGER"]?.trim();
  if (wanted !== undefined) return wanted === "" || wanted === "cat" ? undefined : wanted;
  if (["", "dumb"].includes(env["TERM"] ?? "")) return undefined;
  return process.platform !== "win32" && (await isInstalled("less", env)) ? "less" : undefined;
}

async function isInstalled(program: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  for (const folder of (env["PATH"] ?? "").split(delimiter)) {
    if (folder === "") continue;
    try {
      await access(join(folder, program), constants.X_OK);
      return true;
    } catch {
      // Not in this one.
    }
  }
  return false;
}

/**
 * Starts a pager. While it runs, Ctrl-C is for the pager alone, which would be left without a terminal else.
 *
 * @param onClosed called when the user has left it
 */
export function startPager(command: string, env: NodeJS.ProcessEnv, onClosed: () => void): Pager {
  const child = spawn(command, {
    // A PAGER may have arguments, and quotes among them.
    shell: true,
    stdio: ["pipe", "inherit", "inherit"],
    env: { ...env, LESS: env["LESS"] ?? LESS_OPTIONS },
  });
  let isClosed = false;
  const ignore = () => {};
  process.on("SIGINT", ignore);
  const closed = new Promise<string | undefined>((resolve) => {
    const end = (problem: string | undefined) => {
      isClosed = true;
      process.off("SIGINT", ignore);
      onClosed();
      resolve(problem);
    };
    child.once("error", (error) => end(`the pager "${command}" cannot be started: ${error.message}`));
    child.once("exit", (code) => {
      end(CANNOT_START.has(code) ? `the pager "${command}" cannot be started; --no-pager does without one` : undefined);
    });
  });
  return {
    input: child.stdin,
    closed,
    get isClosed() {
      return isClosed;
    },
  };
}
