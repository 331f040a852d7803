#!/usr/bin/env node
import { main } from "../src/cli/program.js";

// A reader that goes away, as behind `| head`, or a full disk: whoever writes notices it by the closed stream.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

process.exitCode = await main(process.argv.slice(2), process);
