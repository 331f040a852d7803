import { fileURLToPath } from "node:url";
import type { RolldownOptions } from "rolldown";
import { ownEntries } from "./own-entries.js";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * How the engine is bundled for browsers. Packages in it were made for Node.js, and what they use of it is provided: by
 * the packages `buffer` and `events`, and by a few lines of ours for the rest. A built-in module that is not named here
 * fails the build.
 */
export const forBrowsers = {
  platform: "browser",
  resolve: {
    alias: {
      ...Object.fromEntries(Object.entries(ownEntries).map(([name, file]) => [`${name}$`, file])),
      buffer: at("node_modules/buffer/index.js"),
      events: at("node_modules/events/events.js"),
      fs: at("src/platform/browser/fs.ts"),
      util: at("src/platform/browser/util.ts"),
    },
  },
  transform: {
    inject: {
      Buffer: [at("node_modules/buffer/index.js"), "Buffer"],
      process: [at("src/platform/browser/process.ts"), "*"],
    },
  },
  onLog(level, log, handle) {
    if (log.code === "UNRESOLVED_IMPORT") throw new Error(log.message);
    handle(level, log);
  },
} satisfies RolldownOptions;
