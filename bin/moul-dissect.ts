#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import { version } from "../src/cli/version.js";

// A reader that goes away, as behind `| head`, or a full disk: whoever writes notices it by the closed stream.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const [first, ...others] = process.argv.slice(2);
if (others.length === 0 && (first === "--version" || first === "-V")) {
  // Scripts ask for it often: the rest of the program takes several times as long to load as this.
  process.stdout.write(`${version}\n`);
} else {
  // Else V8 lets the heap grow to some four times what is alive before it looks for what is not; this takes 1 % of the
  // time.
  setFlagsFromString("--heap-growing-percent=25");
  const { main } = await import("../src/cli/program.js");
  const { stdout, stderr, env } = process;
  const helper = new URL("../src/cli/threads/helper.js", import.meta.url);
  process.exitCode = await main(process.argv.slice(2), { stdout, stderr, env, helper });
}
