import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { performed } from "./command-file.js";
import { writeInputs } from "./inputs.js";

/** What the program prints, command by command. `npm run golden` rewrites the files; see README.md. */

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const files = readdirSync(FOLDER).filter((name) => name.endsWith(".txt"));

describe("the output of the commands in", () => {
  const start = process.cwd();
  let folder = "";

  beforeAll(() => {
    // Inside the project, so that the example dissector finds it.
    folder = mkdtempSync(join(FOLDER, ".work-"));
    writeInputs(folder);
    process.chdir(folder);
  });

  afterAll(() => {
    process.chdir(start);
    rmSync(folder, { recursive: true });
  });

  it.each(files)("%s matches the file", async (name) => {
    const path = join(FOLDER, name);
    await expect(await performed(readFileSync(path, "utf8"))).toMatchFileSnapshot(path);
  });
});
