import { defineConfig } from "vitest/config";
import { declaredSourcesModule } from "./build/declared-sources.js";
import { ownEntries } from "./build/own-entries.js";
import { testedSources } from "./build/tested.js";

/** The package's own name means its sources. */
const alias = Object.entries(ownEntries).map(([name, replacement]) => ({ find: new RegExp(`^${name}$`), replacement }));

/** The parts of Wireshark's plugin are bundled as text. */
const lua = {
  name: "lua",
  transform: (code: string, id: string) =>
    id.endsWith(".lua") ? { code: `export default ${JSON.stringify(code)}`, map: null } : undefined,
};

/** The end of the names of test files that start processes, fuzz, or take more than a second or two. */
const SLOW = "test/**/*.slow.test.ts";

/** The same for those whose time is that of other programs: browsers, Wireshark, Java, npm. */
const INTEGRATION = "test/**/*.integration.test.ts";

/** `npm run test:fast` runs the first project, `npm test` the first two, `npm run test:all` everything. */
export default defineConfig({
  resolve: { alias },
  plugins: [testedSources, lua, declaredSourcesModule],
  test: {
    testTimeout: 30_000,
    expect: { poll: { timeout: 10_000, interval: 10 } },
    globalSetup: "test/support/set-up.ts",
    setupFiles: ["test/support/equal-bytes.ts"],
    forceRerunTriggers: ["**/{src,dissectors}/**", "**/{package.json,vitest.config.ts}"],
    maxWorkers: "100%",
    isolate: false,
    // Tests make many short-lived objects: with more room for them, V8 collects less often. They run much code a few times:
    // compiled at once, it takes a twentieth less.
    execArgv: ["--max-semi-space-size=64", "--always-sparkplug"],
    // What has not changed since the last run need not be translated again.
    experimental: { fsModuleCache: true },
    projects: [
      {
        extends: true,
        test: {
          name: "fast",
          include: ["test/**/*.test.ts"],
          exclude: [SLOW, INTEGRATION],
          setupFiles: ["test/support/no-processes.ts"],
        },
      },
      // Afterwards: each process is for files of one project, and would be started anew where they alternate.
      { extends: true, test: { name: "slow", include: [SLOW], sequence: { groupOrder: 1 } } },
      { extends: true, test: { name: "integration", include: [INTEGRATION], sequence: { groupOrder: 2 } } },
    ],
  },
});
