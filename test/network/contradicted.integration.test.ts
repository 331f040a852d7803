import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { pcapFile } from "../support/captures.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { tsharkVersion, tsharkView } from "../support/tshark.js";
import { CLIENT, KINDS, type Kind, packetsOf, SERVER } from "./contradicted-kinds.js";

const title = `compared with ${tsharkVersion ?? "tshark, which is not installed"}`;
describe.skipIf(tsharkVersion === undefined)(title, () => {
  const folder = temporaryFolder();

  test("the table says what both do", async () => {
    const rowOf = async (kind: Kind) => {
      const path = join(folder, "capture");
      const records = packetsOf(kind, [CLIENT, SERVER]).map((data, index) => ({
        data,
        time: BigInt(index) * 1_000_000n,
      }));
      await writeFile(path, pcapFile(records, { linkType: 101 }));
      const { tcp } = await tsharkView(path, 4, 0);
      const words = (hex = "") => Buffer.from(hex, "hex").toString("latin1").replace(/\0/g, "").trim();
      const theirs = tcp.map((sent) => `${words(sent["10.0.0.1:4000"])} / ${words(sent["10.0.0.2:14617"])}`);
      const isRight = theirs.join() === "ask1 ask2 ask3 / answer1 answer2 answer3";
      return `| ${kind.name} | ${kind.source} | all of both directions | ${isRight ? "the same" : theirs.join("; ")} |`;
    };
    const rows: string[] = [];
    for (const kind of KINDS) rows.push(await rowOf(kind));
    const table = [
      "# Segments that the other end did not accept",
      "",
      "The receiver's state decides: what its later acknowledgments contradict did not happen. Each row is a connection in which",
      "the client sends `ask1 ask2 ask3` and the server `answer1 answer2 answer3`, with the segment between them. The tests",
      "beside this file hold each row, over IPv4 and IPv6, with every packet recorded twice, and with any later one lost;",
      "`npm run golden` writes the table. Where tshark (4.0) has several conversations, they are separated by semicolons.",
      "",
      "| segment | what decides | this program | tshark: client / server |",
      "|---|---|---|---|",
      ...rows,
      "",
    ].join("\n");
    await expect(table).toMatchFileSnapshot("CONTRADICTED.md");
  }, 120_000);
});
