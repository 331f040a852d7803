import { describe, expect, it } from "vitest";
import { completionsAt, Vocabulary } from "../../src/filter/index.js";
import { dissectors } from "../../src/pipeline/dissectors.js";

const vocabulary = Vocabulary.of(dissectors);
const texts = (before: string) => completionsAt(before, before.length, vocabulary).map(({ text }) => text);

describe("completion of filters", () => {
  it("offers fields, classes and protocols by their beginning, then those that contain it", () => {
    expect(texts("playerI")).toContain("playerId");
    expect(texts('status == "ok" and moul.g')).toEqual(["moul.game", "moul.gatekeeper"]);
    expect(texts("NetMsgVoi")).toContain("plNetMsgVoice");
    expect(texts("answers.mi")).toEqual(["answers.milliseconds"]);
  });

  it("offers what a class has after its name and a dot", () => {
    expect(texts("plUoid.obj")).toContain("objectName");
    expect(texts("plUoid.messageT")).toEqual([]);
  });

  it("offers values after an operator", () => {
    expect(texts("result != kNetErrFile")).toContain("kNetErrFileNotFound");
    expect(texts("status == ")).toContain('"malformed"');
    expect(texts('status in {"ok", "tr')).toEqual(['"truncated"']);
    expect(texts('protocol == "bz')).toContain('"bzflag.list"');
  });

  it("tells how many characters a completion replaces, and what it stands for", () => {
    const [first] = completionsAt("number > 3 and fram", 19, vocabulary);
    expect(first).toMatchObject({ text: "frame", replaces: 4 });
    expect(first?.doc).toMatch(/Numbers of the frames/);
  });

  it("offers nothing inside a text, and where nothing is known", () => {
    expect(texts('objectName == "play')).toEqual([]);
    expect(texts('"play')).toEqual([]);
    expect(texts("nothingLikeThis.pl")).toEqual([]);
    expect(texts("")).toEqual([]);
  });
});
