import { spawn } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { makeTraffic, type Traffic } from "../bench/traffic/traffic.js";
import { buildProgram } from "../support/installed-program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
let program: string;
let traffic: Traffic;
beforeAll(() => {
  program = buildProgram(join(folder, "program"));
  // More than one part: the first one is written while the next ones are still made.
  traffic = makeTraffic(join(folder, "traffic"), { size: 8_000_000, pool: 600, hasTwin: false });
}, 120_000);

function startedExport(output: string, ...more: readonly string[]) {
  const given = ["--keys", traffic.keys, "--sdl", traffic.sdl, "--threads", "2", "-o", output, ...more];
  const child = spawn(process.execPath, [program, "export", traffic.capture, ...given], { env: {}, stdio: "ignore" });
  return { child, code: new Promise((resolve) => child.once("exit", resolve)) };
}

/** The files in a folder, as paths from there on. */
function filesIn(place: string): string[] {
  const files = readdirSync(place, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(place.length)).sort();
}

/** True for a file that is not whole yet. */
function isUnfinished(file: string): boolean {
  return basename(file).startsWith(".");
}

/** True once there is an unfinished file. */
function isAtWork(output: string): boolean {
  try {
    // Those of tables without rows are in a folder of their own.
    return filesIn(output).some((file) => isUnfinished(file) && !file.includes("date="));
  } catch {
    // Not there yet, or a folder has gone while it was looked into.
    return false;
  }
}

/** Files of the capture, not of tables without rows. */
function ofCapture(files: readonly string[]): string[] {
  return files.filter((file) => file.includes("date=2"));
}

describe.skipIf(process.platform === "win32")(
  "an export that is interrupted (skipped where there is no SIGINT)",
  () => {
    it("leaves no unfinished files, and begins anew the next time", async () => {
      const output = join(folder, "dataset");
      const { child, code } = startedExport(output);
      while (!isAtWork(output) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 20));
      child.kill("SIGINT");
      expect(await code).toBe(130);
      expect(filesIn(output).filter(isUnfinished)).toEqual([]);
      expect(ofCapture(filesIn(output))).toEqual([]);

      const whole = join(folder, "whole");
      expect(await startedExport(output).code).toBe(0);
      expect(await startedExport(whole).code).toBe(0);
      expect(ofCapture(filesIn(whole)).length).toBeGreaterThan(15);
      expect(filesIn(output)).toEqual(filesIn(whole));
      const isOther = (file: string) => !readFileSync(output + file).equals(readFileSync(whole + file));
      expect(filesIn(whole).filter(isOther)).toEqual([]);
    }, 120_000);

    it("ends the processes that export captures for it", async () => {
      const output = join(folder, "jobs");
      const other = join(folder, "other.pcap");
      copyFileSync(traffic.capture, other);
      const { child, code } = startedExport(output, other, "--jobs", "2");
      while (!isAtWork(output) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 20));
      child.kill("SIGTERM");
      expect(await code).toBe(130);
      await expect.poll(() => filesIn(output).filter(isUnfinished), { timeout: 20_000 }).toEqual([]);
      expect(ofCapture(filesIn(output))).toEqual([]);
    }, 120_000);

    it("of sql leaves nothing of the captures behind", async () => {
      const temporary = temporaryFolder();
      const query = ["sql", "SELECT count(*) FROM messages", traffic.capture, "--keys", traffic.keys];
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
        const env = { TMPDIR: temporary };
        const child = spawn(process.execPath, [program, ...query], { env, stdio: "ignore" });
        const code = new Promise((resolve) => child.once("exit", resolve));
        const hasBegun = () => readdirSync(temporary, { recursive: true }).length > 10;
        while (!hasBegun() && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 20));
        child.kill(signal);
        expect(await code).toBe(130);
        expect(readdirSync(temporary)).toEqual([]);
      }
    }, 120_000);
  },
);
