import { describe, expect, it } from "vitest";
import { LineError, parseLine } from "../../src/check/index.js";

const GOOD = {
  schema: "moul-dissect.message/1",
  stream: 3,
  direction: "c2s",
  protocol: "moul.auth",
  message: "Cli2Auth_AgeRequest",
  status: "ok",
  fields: {},
  notes: [],
};

describe("a line of an expectation", () => {
  it("is what --json prints, or what --update writes", () => {
    for (const schema of ["moul-dissect.message/1", "moul-dissect.expectation/1"]) {
      expect(parseLine(JSON.stringify({ ...GOOD, schema }))).toMatchObject({
        stream: 3,
        message: "Cli2Auth_AgeRequest",
      });
    }
  });

  it.each([
    ['{"', /^this is not JSON: Unterminated /],
    ["  {", /^this is not JSON: each message has to be on a line of its own, as jq -c writes it$/],
    ["[1]", /^this is not a JSON object$/],
    ["null", /^this is not a JSON object$/],
    [JSON.stringify({ ...GOOD, schema: undefined }), /"schema" must be one of .*, but it is missing$/],
    [JSON.stringify({ ...GOOD, schema: "moul-dissect.stream/1" }), /but it is "moul-dissect.stream\/1"$/],
    [JSON.stringify({ ...GOOD, fields: undefined, tree: [] }), /^"fields" are missing/],
    [JSON.stringify({ ...GOOD, stream: "3" }), /^"stream" must be a number$/],
    [JSON.stringify({ ...GOOD, direction: "up" }), /^"direction" must be one of c2s, s2c, none$/],
    [JSON.stringify({ ...GOOD, status: "fine" }), /^"status" must be one of ok, /],
    [JSON.stringify({ ...GOOD, message: 7 }), /^"message" must be a string$/],
    [JSON.stringify({ ...GOOD, notes: {} }), /^"notes" must be an array$/],
    [JSON.stringify({ ...GOOD, notes: ["odd"] }), /^"notes" have to be objects$/],
    [JSON.stringify({ ...GOOD, notes: [{ severity: "note" }] }), /^"notes.path" must be a string$/],
  ])("is refused if it is anything else: %s", (text, reason) => {
    expect(() => parseLine(text)).toThrow(LineError);
    expect(() => parseLine(text)).toThrow(reason);
  });
});
