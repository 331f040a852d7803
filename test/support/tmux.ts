import { execFileSync, spawnSync } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { isPosix } from "./platform.js";

/** True if terminals are available. If not, reports that once on standard error. */
export function hasTmux(...programs: readonly string[]): boolean {
  const missing = ["tmux", ...programs].filter((name) => {
    return !isPosix || spawnSync(name, [name === "tmux" ? "-V" : "--version"]).status !== 0;
  });
  if (missing.length > 0) process.stderr.write(`${missing.join(", ")} cannot be run here: tests are skipped\n`);
  return missing.length === 0;
}

/** Maximum time to wait for something to appear; the machine may be busy. */
const PATIENCE = 20_000;
const BETWEEN_LOOKS = 50;
let count = 0;

/** A finished command. */
interface Ended {
  readonly code: number;
  readonly output: string;
}

/** A terminal with a shell in it, as a person would use it: keys go in, a screen comes out. */
export class Terminal {
  #commands = 0;
  readonly #server = `moul-dissect-${process.pid}-${count++}`;

  /**
   * @param folder the shell's working folder
   * @param path folders in which it finds programs
   * @param columns the width of the terminal
   */
  constructor(folder: string, path: string, columns = 80, rows = 24) {
    const shell = `env -i PATH='${path}' TERM=screen-256color LC_ALL=C.UTF-8 PS1='$ ' sh`;
    const size = ["-x", String(columns), "-y", String(rows)];
    this.#tmux("-f", "/dev/null", "new-session", "-d", ...size, "-c", folder, shell);
  }

  #tmux(...args: readonly string[]): string {
    return execFileSync("tmux", ["-L", this.#server, ...args], { encoding: "utf8" });
  }

  /** Types a command, which starts with a cleared screen. */
  begin(command: string): void {
    this.#commands++;
    const line = `clear; echo "begin ${this.#commands}"; ${command}; code=$?; echo; echo "exit ${this.#commands}: $code"`;
    this.#tmux("send-keys", "-l", line);
    this.#tmux("send-keys", "Enter");
  }

  /** Presses a key by its name for tmux: "q", "C-c". */
  press(key: string): void {
    this.#tmux("send-keys", key);
  }

  /**
   * What the last command has printed so far, including what has scrolled out of sight, optionally with escape
   * sequences.
   */
  output(colored = false): string {
    const screen = this.#tmux("capture-pane", "-p", "-S", "-", ...(colored ? ["-e"] : []));
    return screen.split(`\nbegin ${this.#commands}\n`).at(-1) ?? "";
  }

  /** Waits until the last command has printed something; returns everything that it has printed. */
  async shows(pattern: RegExp): Promise<string> {
    const end = performance.now() + PATIENCE;
    for (;;) {
      const output = this.output();
      if (pattern.test(output)) return output;
      if (performance.now() > end) throw new Error(`${pattern} does not appear; there is:\n${output}`);
      await setTimeout(BETWEEN_LOOKS);
    }
  }

  /** Waits for the end of the last command. */
  async ended(): Promise<Ended> {
    const mark = new RegExp(`^exit ${this.#commands}: (\\d+)$`, "m");
    const output = await this.shows(mark);
    const found = mark.exec(output);
    return { code: Number(found?.[1]), output: output.slice(0, found?.index).trimEnd() };
  }

  /** Runs a command to its end. */
  run(command: string): Promise<Ended> {
    this.begin(command);
    return this.ended();
  }

  close(): void {
    spawnSync("tmux", ["-L", this.#server, "kill-server"]);
  }
}
