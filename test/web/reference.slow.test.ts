import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { dissectors } from "../../src/index.js";
import { Reference } from "../../src/web/worker/reference.js";
import { projectPath } from "../support/project-path.js";

const reference = new Reference(dissectors);

it("says where everything is declared, and what that is made from", () => {
  const pages = reference.entries.flatMap(({ name }) => reference.page(name, undefined) ?? []);
  expect(pages.length).toBeGreaterThan(500);
  expect(pages.filter(({ sources }) => sources.length === 0).map(({ name }) => name)).toEqual([]);
  expect(pages.filter(({ sources }) => sources.every(({ source }) => source === "")).map(({ name }) => name)).toEqual(
    [],
  );
  const files = new Set(pages.flatMap(({ sources }) => sources.map(({ file }) => file)));
  for (const file of files) expect(existsSync(projectPath(file)), file).toBe(true);
  expect(reference.page("Auth2Cli_VaultNodeFetched", undefined)?.sources).toEqual([
    { file: "dissectors/moul/messages/auth/vault.ts", source: 'auth_server "VaultNodeFetched"' },
  ]);
});
