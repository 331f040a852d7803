/** Exit codes, as documented in `--help` and `docs/command-line.md`. */
export const ExitCode = {
  done: 0,
  usage: 1,
  /** An input could not be read, or only in part, or the output could not be written, or there was nothing to compare. */
  input: 2,
  /** `--fail-on` matched. */
  found: 3,
  /** `check` found a difference. */
  different: 4,
  internal: 70,
} as const;
