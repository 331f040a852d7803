import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Dissector } from "../../src/dissector/dissector.js";
import { givenFiles } from "../../src/platform/node/file-on-disk.js";
import { readKeyFiles } from "../../src/session/files/key-files.js";
import { filesIn, temporaryFolder } from "../support/temporary-folder.js";
import { toyDissector } from "../support/toy.js";

const folder = temporaryFolder();
const file = filesIn(folder);

/** Recognises files that begin with its name. */
function reader(name: string): Dissector {
  return {
    ...toyDissector({ name }),
    readKeys: (fileName, bytes) => {
      const recognised = Buffer.from(bytes).toString().startsWith(name);
      return { recognised, remarks: [`${fileName}: ${recognised ? "odd" : "not"} for ${name}`] };
    },
  };
}

describe("key files", () => {
  const [a, b, keyless] = [reader("a"), reader("b"), toyDissector({ name: "c" })];

  it("are given to every dissector, and kept by those that recognise them", async () => {
    const [forA, forB] = [file("1.key", "a secret"), file("2.key", "b secret")];
    const { keys, remarks, complete } = await readKeyFiles(givenFiles([forA, forB]), [a, b, keyless]);
    expect([a, b, keyless].map((dissector) => keys.get(dissector)?.length)).toEqual([1, 1, 0]);
    expect(remarks).toEqual([`${forA}: odd for a`, `${forB}: odd for b`]);
    expect(complete).toBe(true);
  });

  it.each([
    ["TypeError", new TypeError("a secret")],
    ["string", "a secret"],
  ])("on which a dissector fails are reported without what it says of them: %s", async (kind, thrown) => {
    const failing: Dissector = {
      ...toyDissector({ name: "odd" }),
      readKeys: () => {
        throw thrown;
      },
    };
    const path = file("4.key", "a secret");
    expect(await readKeyFiles(givenFiles([path]), [failing])).toMatchObject({
      remarks: [`${path}: the dissector "odd" failed on this file (${kind})`],
      complete: false,
    });
  });

  it("that no dissector recognises are reported by all of them", async () => {
    const path = file("3.key", "milk");
    const { keys, remarks, complete } = await readKeyFiles(givenFiles([path]), [a, b]);
    expect([...keys.values()].flat()).toEqual([]);
    expect(remarks).toEqual([`${path}: not for a`, `${path}: not for b`]);
    expect(complete).toBe(false);
  });

  it("that are deleted once they are read are used, and nobody else can read them any more", async () => {
    const path = file("5.key", "a secret");
    const deleting: Dissector = {
      ...toyDissector({ name: "a" }),
      readKeys: () => {
        rmSync(path);
        return { recognised: true, isPrivate: true, remarks: [] };
      },
    };
    const { keys, remarks, complete, exposed } = await readKeyFiles(givenFiles([path]), [deleting]);
    expect(keys.get(deleting)).toHaveLength(1);
    expect({ remarks, complete, exposed }).toEqual({ remarks: [], complete: true, exposed: [] });
  });

  it("that cannot be read are reported, and the others are used", async () => {
    const [missing, known] = [join(folder, "none.key"), file("4.key", "a")];
    const { keys, remarks, complete } = await readKeyFiles(givenFiles([missing, folder, known]), [a]);
    expect(keys.get(a)).toHaveLength(1);
    expect(remarks.slice(0, 2)).toEqual([
      `${missing}: the key file cannot be read (there is no such file)`,
      `${folder}: the key file cannot be read (it is a folder)`,
    ]);
    expect(complete).toBe(false);
  });
});
