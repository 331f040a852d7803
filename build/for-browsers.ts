import type { RolldownOptions } from "rolldown";
import { ownEntries } from "./own-entries.js";
import { atRoot } from "./root.js";

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
      buffer: atRoot("node_modules/buffer/index.js"),
      events: atRoot("node_modules/events/events.js"),
      fs: atRoot("src/platform/browser/fs.ts"),
      util: atRoot("src/platform/browser/util.ts"),
    },
  },
  transform: {
    inject: {
      Buffer: [atRoot("node_modules/buffer/index.js"), "Buffer"],
      process: [atRoot("src/platform/browser/process.ts"), "*"],
    },
  },
  onLog(level, log, handle) {
    if (log.code === "UNRESOLVED_IMPORT") throw new Error(log.message);
    handle(level, log);
  },
} satisfies RolldownOptions;
