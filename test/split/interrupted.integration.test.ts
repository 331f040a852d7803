import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { makeTraffic, type Traffic } from "../bench/traffic/traffic.js";
import { buildProgram } from "../support/installed-program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
let program: string;
let traffic: Traffic;
beforeAll(() => {
  program = buildProgram(join(folder, "program"));
  // Large enough that writing it takes longer than noticing that it has begun.
  traffic = makeTraffic(join(folder, "traffic"), { size: 30_000_000, pool: 600, hasTwin: false });
}, 120_000);

it.skipIf(process.platform === "win32").each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "a split that %s interrupts leaves no unfinished parts",
  async (signal) => {
    const output = join(folder, signal);
    const args = ["split", traffic.capture, "-o", output, "--by", "size", "--size", "5M", "--keys", traffic.keys];
    const child = spawn(process.execPath, [program, ...args], { env: {}, stdio: "ignore" });
    const code = new Promise((resolve) => child.once("exit", resolve));
    while (!existsSync(output) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill(signal);
    expect(await code).toBe(130);
    expect(readdirSync(output)).toEqual([]);
  },
  60_000,
);
