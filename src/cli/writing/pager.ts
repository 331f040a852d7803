import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Writable } from "node:stream";

/** The options git gives `less`: quit if one screen is enough, pass colours on, leave the text on the screen. */
const LESS_OPTIONS = "FRX";

/** The option git gives `lv`: pass colours on. */
const LV_OPTIONS = "-c";

/** Exit codes of a shell that cannot find a program or run it; that of Windows has none reserved for this. */
const CANNOT_START: ReadonlySet<number | null> = new Set(process.platform === "win32" ? [1, 9009] : [126, 127]);

/** A program that shows text page by page. */
export interface Pager {
  readonly input: Writable;
  /** True once the user has quit it. */
  readonly isClosed: boolean;
  /** Resolves when the user has quit it; with a sentence if it could not be started. */
  readonly closed: Promise<string | undefined>;
}

/**
 * Chooses the pager for a terminal, as git does: PAGER, or else `less` if it is installed and the terminal can do
 * enough: on a dumb one, `less` would first wait for a key.
 *
 * @returns undefined for none, as with an empty PAGER or `cat`
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
 * Starts a pager. While it runs, Ctrl-C is left to the pager, which would otherwise lose its terminal.
 *
 * @param onClosed called when the user has quit it
 */
export function startPager(command: string, env: NodeJS.ProcessEnv, onClosed: () => void): Pager {
  const child = spawn(command, {
    // PAGER may have arguments, some of them quoted.
    shell: true,
    stdio: ["pipe", "inherit", "inherit"],
    env: {
      ...env,
      LESS: env["LESS"] ?? LESS_OPTIONS,
      LV: env["LV"] ?? LV_OPTIONS,
      // What is printed is UTF-8, whatever the locale; in that of C, less would show bytes.
      LESSCHARSET: env["LESSCHARSET"] ?? "utf-8",
    },
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
      end(
        CANNOT_START.has(code) ? `the pager "${command}" cannot be started; --no-pager prints without one` : undefined,
      );
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
