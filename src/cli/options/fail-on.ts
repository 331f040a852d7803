import type { Command } from "commander";
import type { Dissected } from "../../dissect/message.js";
import type { Status } from "../../index.js";
import { choiceList } from "./shared.js";

/** What `--fail-on` can look for. */
const failures = ["malformed", "truncated", "unknown", "undecrypted", "gap"] as const;
type Failure = (typeof failures)[number];

/** The options that make an otherwise successful run fail, as the command line gives them. */
export interface FailOptions {
  readonly failOn?: readonly Failure[];
  readonly strict?: boolean;
}

/** Adds the options that say what makes a run fail. */
export function addFailOptions(command: Command): Command {
  return command
    .option(
      "--fail-on <kinds>",
      `exit with 3 if one of these is seen (comma-separated): ${failures.join(",")}`,
      (text, before: readonly Failure[] = []) => [...before, ...choiceList(text, failures)],
    )
    .option("--strict", "the same as --fail-on with all kinds");
}

const FAILURE_OF_STATUS: Readonly<Record<Status, Failure | undefined>> = {
  ok: undefined,
  malformed: "malformed",
  truncated: "truncated",
  unknown: "unknown",
  encrypted: "undecrypted",
};

/** Watches for messages that make a run fail. */
export class FailureWatch {
  readonly #wanted: ReadonlySet<Failure>;
  /** True once a message has been seen that makes the run fail. */
  hasFailed = false;

  constructor({ failOn, strict = false }: FailOptions) {
    this.#wanted = new Set(strict ? failures : failOn);
  }

  see({ nodes, name, status }: Pick<Dissected, "nodes" | "name" | "status">): void {
    const failure = nodes === undefined && name === "gap" ? "gap" : FAILURE_OF_STATUS[status];
    if (failure !== undefined && this.#wanted.has(failure)) this.hasFailed = true;
  }
}
