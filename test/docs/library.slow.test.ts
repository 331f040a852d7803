import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";
import { makePackage, outputs, programs } from "./library-programs.js";

const folder = join(temporaryFolder(), "package");

describe("the programs on the page about the library", () => {
  beforeAll(() => makePackage(folder));

  it("are short", () => {
    expect(programs.length).toBeGreaterThan(10);
    for (const [, , program = ""] of programs) expect(program.split("\n").length).toBeLessThanOrEqual(33);
  });

  it("print something, but for those that need a recording or a page", () => {
    const shown = outputs.map(([, command = ""]) => command.split(" ")[0]);
    const names = programs.map(([, name]) => name);
    expect(names.filter((name) => !shown.includes(name))).toEqual(["live.js", "page.html"]);
  });

  it.each(outputs.map(([, command = "", output = ""]) => ({ command, output })))(
    "print what the page shows: $command",
    ({ command, output }) => {
      const printed = execFileSync(process.execPath, command.split(" "), { cwd: folder, encoding: "utf8" });
      let from = 0;
      for (const part of output.split(/(?:^|\n)\.\.\.(?:\n|$)/).filter((one) => one !== "")) {
        const at = printed.indexOf(`${part}\n`, from);
        expect(at, `not printed, or not in this order:\n${part}`).toBeGreaterThanOrEqual(0);
        from = at + part.length;
      }
    },
  );

  it("show a recording while it is being made", async () => {
    const program = spawn(process.execPath, ["live.js", "session.keys"], { cwd: folder });
    const capture = readFileSync(join(folder, "session.pcap"));
    let printed = "";
    program.stdout.setEncoding("utf8");
    const some = new Promise<void>((resolve) => {
      program.stdout.on("data", (piece: string) => {
        printed += piece;
        if (printed.includes("\n   100 ")) resolve();
      });
    });
    // The rest does not come until the first messages have been shown.
    program.stdin.write(capture.subarray(0, -5000));
    await some;
    const before = printed.length;
    program.stdin.end(capture.subarray(-5000));
    const code = await new Promise((resolve) => program.once("close", resolve));
    expect(code).toBe(0);
    expect(printed.length).toBeGreaterThan(before);
    expect(printed).toContain("pfKIMsg");
  });
});
