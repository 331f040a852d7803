import { describe, expect, it } from "vitest";
import { askedIn, reasonIn } from "../../src/output/text/asked.js";
import { dissectPackets } from "../support/dissecting.js";
import { MoulTalk, packetsOf } from "../support/moul-session.js";

/** What requests ask for, and why they fail, in words. */

function asked(name: string, fields: Record<string, unknown>) {
  const talk = new MoulTalk("auth", { encryption: "none" }).opens();
  talk.says(name, { transactionId: 2, ...fields });
  return askedIn(dissectPackets(packetsOf(talk)).message(name));
}

const FILE = asked("Cli2Auth_FileDownloadRequest", { filePath: 'dat\\a "b".age' });

describe("what a request asks for", () => {
  it("is the fact of its summary, without the word that it is a name, a path or a number", () => {
    expect(FILE).toEqual({ kind: "file", text: 'file dat\\a "b".age' });
    expect(asked("Cli2Auth_VaultNodeFetch", { nodeId: 12 })).toEqual({ kind: "node", text: "node 12" });
    expect(asked("Cli2Auth_AcctSetPlayerRequest", { playerVaultNodeId: 7 }).text).toBe("player vault node 7");
  });

  it("is nothing if it has no facts", () => {
    const ping = { pingTime: 1, payloadByteCount: 0, payload: new Uint8Array(0) };
    expect(asked("Cli2Auth_PingRequest", ping)).toEqual({ kind: "", text: "" });
  });

  it("is safe for a terminal", () => {
    expect(asked("Cli2Auth_FileDownloadRequest", { filePath: "\u001b[2J\n" }).text).toBe("file \\u001b[2J\\n");
  });
});

describe("why it failed", () => {
  it.each([
    ["kNetErrFileNotFound", "not found"],
    ["kNetErrAuthenticationFailed", "authentication failed"],
    ["error 77", "error 77"],
    ["kNetErr", "k net err"],
    ["\u001b[2J", "\\u001b[2 j"],
  ])("is said in words for %j", (error, reason) => expect(reasonIn(error, FILE)).toBe(reason));

  it("does not repeat what was asked, and leaves out nothing else", () => {
    const about = (kind: string) => ({ kind, text: `${kind} x` });
    expect(reasonIn("kNetErrVaultNodeNotFound", about("node"))).toBe("not found");
    expect(reasonIn("kNetErrPlayerAlreadyExists", about("player"))).toBe("already exists");
    expect(reasonIn("kNetErrVaultNodeNotFound", about("vault"))).toBe("node not found");
    expect(reasonIn("kNetErrInvalidFile", about("file"))).toBe("invalid file");
    expect(reasonIn("kNetErrInvalidPlayerName", about("player"))).toBe("invalid player name");
    expect(reasonIn("kNetErrFileNotFound", about(""))).toBe("file not found");
  });
});
