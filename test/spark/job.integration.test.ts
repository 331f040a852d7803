import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { datasetIn } from "../dataset/duckdb.js";
import { uncheckedRun } from "../support/command-line.js";
import { projectPath } from "../support/project-path.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { packProgram } from "./packed-program.js";
import { processesBelow } from "./processes.js";
import { PythonRun, pythonWith } from "./python.js";

const CAPTURES = [
  ...["nagus-session.pcap", "dirtsand-session.pcap", "bz0221-glclient.pcap", "bz107e-udp.pcap", "bz107c-relay.pcap"],
  ...["bz107d-relay.pcap", "bz107e-ctf.pcap", "bz107e-reject.pcap", "bz107e-ping.pcap"],
];
const KEYS = ["dirtsand-session.keys", "nagus-session.keys"];

const python = process.platform === "linux" ? pythonWith(["pyspark", "pyarrow"], { java: true }) : undefined;

/** The files of a dataset, and what is in each. */
function filesIn<T>(folder: string, of: (bytes: Buffer) => T): ReadonlyMap<string, T> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const paths = names.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return new Map(paths.map((path) => [path.slice(folder.length + 1), of(readFileSync(path))]));
}

function digestOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The captures that a dataset has. */
function rowsIn(dataset: string): string[] {
  const folder = join(dataset, "captures");
  if (!existsSync(folder)) return [];
  const days = readdirSync(folder).filter((name) => /^date=\d/.test(name));
  return days.flatMap((day) => readdirSync(join(folder, day)).map((name) => join(folder, day, name)));
}

class SparkJob {
  readonly folder = temporaryFolder();
  readonly dataset = join(this.folder, "dataset");
  readonly captures = join(this.folder, "captures");
  readonly #submit = join(this.folder, "submit.py");

  constructor(readonly python: string) {
    mkdirSync(this.captures);
    for (const name of CAPTURES) copyFileSync(sample(name), join(this.captures, name));
    for (const name of KEYS) copyFileSync(sample(name), join(this.folder, name));
    writeFileSync(join(this.captures, "broken.pcap"), readFileSync(sample("bz107e-udp.pcap")).subarray(0, 500));
    packProgram(this.folder);
    writeFileSync(
      this.#submit,
      "import os, sys, pyspark\nos.execv(pyspark.__path__[0] + '/bin/spark-submit', sys.argv)\n",
    );
  }

  get keyOptions(): string[] {
    return KEYS.flatMap((name) => ["--keys", name]);
  }

  start(): PythonRun {
    const shipped = ["--archives", "program.tgz#program", "--files", KEYS.join(",")];
    const master = ["--master", "local-cluster[2,1,1024]", "--conf", "spark.ui.enabled=false"];
    const folders = [this.captures, this.dataset];
    const job = [projectPath("samples/spark/export_job.py"), ...folders, ...this.keyOptions, "--", "--fields"];
    return new PythonRun(this.python, [this.#submit, ...master, ...shipped, ...job], this.folder);
  }
}

describe("the job for Spark (skipped without pyspark, pyarrow and java)", () => {
  it.skipIf(python === undefined)(
    "leaves the dataset that one machine makes, although an executor is killed in the middle",
    async () => {
      const job = new SparkJob(python ?? "");
      const whole = join(job.folder, "whole");
      const paths = readdirSync(job.captures).map((name) => join(job.captures, name));
      const keys = KEYS.flatMap((name) => ["--keys", join(job.folder, name)]);
      await uncheckedRun(["export", ...paths, "-o", whole, ...keys, "--fields", "-q"]);

      const first = job.start();
      let over = false;
      void first.ended.then(() => {
        over = true;
      });
      while (!over && rowsIn(job.dataset).length === 0) await setTimeout(20);
      const [executor] = processesBelow(first.pid).filter(({ command }) =>
        command.includes("CoarseGrainedExecutorBackend"),
      );
      const there = rowsIn(job.dataset).length;
      if (executor === undefined) throw new Error(`there is no executor: ${(await first.ended).stderr}`);
      process.kill(executor.pid, "SIGKILL");
      expect(there).toBeLessThan(paths.length);
      await first.ended;

      // Whatever Spark has made of that, this is as if it had not come to the end.
      const digest = digestOf(readFileSync(sample("nagus-session.pcap"))).slice(0, 16);
      const row = rowsIn(job.dataset).find((path) => path.includes(digest));
      if (row !== undefined) rmSync(row);
      const { code, stdout, stderr } = await job.start().ended;
      expect(code, stderr).toBe(0);
      expect(stdout).toMatch(/^10 captures: [1-9] exported, [1-9] skipped, 0 failed$/m);
      expect(Object.fromEntries(filesIn(job.dataset, digestOf))).toEqual(Object.fromEntries(filesIn(whole, digestOf)));
      const query = await datasetIn(job.dataset);
      const rows = JSON.stringify(await query("SELECT * FROM captures"));
      const secrets = KEYS.flatMap((name) => readFileSync(join(job.folder, name), "utf8").match(/[\w+/=]{20,}/g) ?? []);
      expect(secrets.length).toBeGreaterThan(KEYS.length);
      expect(secrets.filter((secret) => rows.includes(secret))).toEqual([]);
    },
    900_000,
  );
});
