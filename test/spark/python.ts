import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { isPosix } from "../support/platform.js";
import { projectPath } from "../support/project-path.js";

/** Where `.ci/run` installs packages of Python. */
const INSTALLED = projectPath("node_modules/.cache/python/bin/python");

/**
 * A Python that has these packages, and Java if it is asked for; undefined if there is none, which is reported on standard
 * error.
 */
export function pythonWith(packages: readonly string[], { java = false } = {}): string | undefined {
  const lacks = (python: string) =>
    packages.filter((name) => !isPosix || spawnSync(python, ["-c", `import ${name}`]).status !== 0);
  const python = existsSync(INSTALLED) && lacks(INSTALLED).length === 0 ? INSTALLED : "python3";
  const missing = lacks(python);
  if (java && spawnSync("java", ["-version"]).status !== 0) missing.push("java");
  if (missing.length === 0) return python;
  process.stderr.write(`${missing.join(", ")} cannot be used here: tests are skipped\n`);
  return undefined;
}

/** For programs of Java that soon end: what is compiled once need not be compiled better. */
const SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

/** What a program has printed, and its exit code. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program of Python that runs on its own. */
export class PythonRun {
  readonly #child: ChildProcess;
  readonly ended: Promise<Ended>;

  constructor(python: string, args: readonly string[], cwd: string) {
    const pythons = { PYSPARK_PYTHON: python, PYSPARK_DRIVER_PYTHON: python };
    const own = { SPARK_LOCAL_IP: "127.0.0.1", ...pythons, JAVA_TOOL_OPTIONS: SHORT_LIVED };
    const child = spawn(python, args, { cwd, env: { ...process.env, ...own }, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    this.#child = child;
    this.ended = new Promise((resolve) => {
      child.on("close", (code) => resolve({ code, stdout, stderr }));
    });
  }

  /** The process. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }
}
