import { setFlagsFromString } from "node:v8";
import { hasNewCode, keepCode } from "../platform/node/kept-code.js";

const LATE = ["--invocation-count-for-maglev=4000", "--invocation-count-for-turbofan=30000"];
/** Ten times as long as usual until V8 optimizes, by version of Node.js: V8 complains of flags that it does not know. */
const LATE_IN: Readonly<Record<string, readonly string[]>> = {
  20: ["--interrupt-budget=1000000"],
  22: LATE,
  24: LATE,
  26: LATE,
};

/** Has V8 put off what only pays in longer runs, optimizing, and marking garbage bit by bit; the first time, keeps code. */
export function expectShortRun(): void {
  if (hasNewCode()) {
    // V8 only takes code that was made with the flags with which it is loaded.
    process.once("exit", () => {
      setFlagsFromString("--heap-growing-percent=0");
      keepCode();
    });
    return;
  }
  const [major = ""] = process.versions.node.split(".");
  for (const flag of ["--no-incremental-marking", ...(LATE_IN[major] ?? [])]) setFlagsFromString(flag);
}
