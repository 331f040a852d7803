import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { captureOf, decrypt, dissectCaptures, type Message, scrub } from "../../src/index.js";
import { sample } from "../support/samples.js";

/** The comment on each packet of a capture that this program has written, in order. */
function commentsIn(file: Uint8Array): (string | undefined)[] {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const comments: (string | undefined)[] = [];
  for (let at = 0; at < file.length; at += view.getUint32(at + 4, true)) {
    if (view.getUint32(at, true) !== 6) continue;
    const length = view.getUint32(at + 20, true);
    const option = at + 28 + Math.ceil(length / 4) * 4;
    const isComment = option < at + view.getUint32(at + 4, true) - 4 && view.getUint16(option, true) === 1;
    const bytes = file.subarray(option + 4, option + 4 + view.getUint16(option + 2, true));
    comments.push(isComment ? new TextDecoder().decode(bytes) : undefined);
  }
  return comments;
}

async function written(run: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of run) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}

/** The names of the messages that each frame of a capture completes. */
async function completedIn(file: Uint8Array): Promise<ReadonlyMap<number, readonly string[]>> {
  const found = new Map<number, string[]>();
  await dissectCaptures(captureOf(file, "written.pcapng"), {}, ({ name, nodes, origin }: Message) => {
    if (nodes !== undefined) found.set(origin.frame, [...(found.get(origin.frame) ?? []), name]);
  });
  return found;
}

/** A name, and perhaps the classes in it. */
const TITLE = /^([\w ]+?)(?: \([\w]+(?: > \w+)?\))?$/;

describe("each packet names the messages that it completes, for those who see nothing but TCP", () => {
  it.each(["dirtsand-session.pcap", "nagus-session.pcapng", "bz107e-udp.pcap", "bz0221-glclient.pcap"])(
    "decrypt and scrub %s",
    async (name) => {
      const keys = name.startsWith("bz")
        ? []
        : [sample(`keys/${/^\w+(?=-)/.exec(name)}/${name.startsWith("d") ? "dirtsand" : "nagus_config"}.ini`)];
      const path = sample(name);
      const plain = await written(decrypt(path, { keys }));
      const shared = await written(
        scrub(captureOf(readFileSync(path), name), {
          keys: keys.map((file) => ({ name: file, bytes: readFileSync(file) })),
        }),
      );
      for (const file of [plain, shared]) {
        const completed = await completedIn(file);
        const comments = commentsIn(file);
        expect(completed.size).toBeGreaterThan(20);
        const said = comments.map((comment) => comment?.split(", ").map((title) => TITLE.exec(title)?.[1]));
        for (const [index, names] of said.entries()) {
          const own = completed.get(index + 1);
          // What was assembled from others, or is only known at the end of a conversation, has no packet of its own.
          if (own === undefined || names === undefined) expect([index + 1, names]).toEqual([index + 1, own]);
          else expect(own).toEqual(expect.arrayContaining(names));
        }
      }
    },
  );
});
