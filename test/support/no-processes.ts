import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";

/** Loaded before each fast test file (`vitest.config.ts`): no fast test starts a process. */

const starting = ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"] as const;

for (const name of starting) {
  Object.assign(childProcess, {
    [name](command: unknown) {
      throw new Error(`a fast test starts a process (${command}): the name of its file has to end in .slow.test.ts`);
    },
  });
}
syncBuiltinESMExports();
