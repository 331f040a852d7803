import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { matchingPaths } from "../../src/cli/arguments/wildcards.js";
import { run } from "../support/command-line.js";
import { isPosix } from "../support/platform.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();

mkdirSync(join(folder, "inner"));
for (const name of ["b.pcap", "a.PCAP", "Über (1).pcap", "a.pcap.keys", "axpcap", "inner/c.pcap"]) {
  writeFileSync(join(folder, name), "");
}

const matching = (pattern: string) => matchingPaths(join(folder, pattern)).map((path) => path.slice(folder.length + 1));

describe("a path with wildcards", () => {
  it.each([
    ["*.pcap", ["a.PCAP", "b.pcap", "Über (1).pcap"]],
    ["?.pcap", ["a.PCAP", "b.pcap"]],
    ["über (?).*", ["Über (1).pcap"]],
    ["a*", ["a.PCAP", "a.pcap.keys", "axpcap"]],
    ["**r", ["inner"]],
    ["*p*.k*", ["a.pcap.keys"]],
  ])("expands to the files that it matches, by name: %s", (pattern, names) => {
    expect(matching(pattern)).toEqual(names);
  });

  it.each(["*.pcapng", "none.pcap", "b.pcap", "[ab].pcap", "(*", "a+?", join("none", "*.pcap"), join("*", "c.pcap")])(
    "is left alone if it matches none, or has no wildcard in its last part: %s",
    (pattern) => {
      expect(matching(pattern)).toEqual([pattern]);
    },
  );

  it("keeps what is before its last part as it was typed", () => {
    expect(matchingPaths(`${folder}/inner/../*b.pcap`)).toEqual([`${folder}/inner/../b.pcap`]);
    expect(matchingPaths("./package.jso?")).toEqual(["./package.json"]);
  });

  it("may refer to the folder where the program runs", () => {
    expect(matchingPaths("package.jso?")).toEqual(["package.json"]);
    expect(matchingPaths("-")).toEqual(["-"]);
  });
});

describe.skipIf(isPosix)("captures on Windows, where shells leave wildcards alone", () => {
  it("may be named with them", async () => {
    const { stdout } = await run(["streams", "--json", sample("nagus-session.pcapng"), sample("nagus-plain.pcap")]);
    const patterns = ["nagus-?????.pcap*", "nagus-session.pcapn?"].map((pattern) => join(sample(""), pattern));
    expect(await run(["streams", "--json", ...patterns])).toEqual({ code: 0, stdout, stderr: "" });
  });

  it("are sought in the current folder of a drive, if only that is named", () => {
    const drive = process.cwd().slice(0, 2);
    expect(matchingPaths(`${drive}package.jso?`)).toEqual([`${drive}package.json`]);
  });

  it("are reported as typed if there are none", async () => {
    const pattern = join(folder, "*.none");
    const { code, stderr } = await run([pattern]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: `moul-dissect: ${pattern}: there is no such file\n` });
  });
});
