import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach } from "vitest";
import { pcapFile } from "../../../support/captures.js";
import { run } from "../../../support/command-line.js";
import { schemaCheck } from "../../../support/json-schema.js";
import {
  MoulTalk,
  type MoulTalkOptions,
  type PacketOptions,
  packetsOf,
  secret,
} from "../../../support/moul-session.js";
import { RAW } from "../../../support/network.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

/** Recorded logins for `check` to compare. */

type Edit = (talk: MoulTalk, say: () => void, step: string) => void;

export interface Session extends MoulTalkOptions, PacketOptions {
  /** Number of the first transaction. */
  readonly transaction?: number;
  readonly player?: number;
  readonly challenge?: number;
  readonly time?: bigint;
  readonly account?: string;
  readonly accountId?: string;
  /** Replaces what a step sends, or adds to it. */
  readonly edit?: Edit;
}

/** Writes a login as a capture with its keys beside it; returns the path. */
function record(folder: string, name: string, session: Session): string {
  const { transaction = 1, player = 10124, challenge = 77, time = 1_795_150_492_000_000_000n } = session;
  const { account = "alice", accountId = "84bbb3f8-4b42-4109-98f2-4c0ad26b598e", edit } = session;
  const talk = new MoulTalk("auth", session);
  const steps: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ["Cli2Auth_ClientRegisterRequest", { buildId: 918 }],
    ["Auth2Cli_ClientRegisterReply", { serverChallenge: challenge }],
    [
      "Cli2Auth_AcctLoginRequest",
      {
        transactionId: transaction,
        clientChallenge: challenge + 1,
        accountName: account,
        challengeHash: new Uint8Array(20).fill(challenge),
        authToken: "",
        operatingSystem: "win",
      },
    ],
    [
      "Auth2Cli_AcctPlayerInfo",
      {
        transactionId: transaction,
        playerVaultNodeId: player,
        playerName: "Alice",
        avatarShape: "female",
        explorer: 1,
      },
    ],
    [
      "Auth2Cli_AcctLoginReply",
      {
        transactionId: transaction,
        result: 0,
        accountId,
        accountFlags: 0,
        billingType: 1,
        notthedroidsEncryptionKey: [1, 2, 3, 4],
      },
    ],
    ["Cli2Auth_AcctSetPlayerRequest", { transactionId: transaction + 1, playerVaultNodeId: player }],
    ["Auth2Cli_AcctSetPlayerReply", { transactionId: transaction + 1, result: 0 }],
  ];
  talk.opens();
  for (const [step, fields] of steps) {
    const say = () => void talk.says(step, fields);
    if (edit === undefined) say();
    else edit(talk, say, step);
  }
  const path = join(folder, `${name}.pcap`);
  const records = packetsOf(talk, session).map((data, index) => ({ data, time: time + BigInt(index) * 1_000_000n }));
  writeFileSync(path, pcapFile(records, { linkType: RAW }));
  writeFileSync(`${path}.keys`, talk.keyLog.rc4);
  return path;
}

/**
 * Sets up a folder of its own for each test; returns functions that record logins into it and give the paths of its
 * files.
 */
export function recordings(): {
  capture: (name: string, session?: Session) => string;
  file: (...names: readonly string[]) => string;
} {
  const root = temporaryFolder();
  let folder = root;
  beforeEach(() => {
    folder = mkdtempSync(join(root, "test-"));
  });
  return {
    capture: (name, session = {}) => record(folder, name, session),
    file: (...names) => join(folder, ...names),
  };
}

/** The same login from somewhere else, at another time, with other numbers. */
export const elsewhere: Session = {
  transaction: 900,
  player: 555,
  challenge: 12_345,
  accountId: "11111111-2222-4333-8444-555555555555",
  time: 1_895_150_492_123_000_000n,
  client: ["198.51.100.7", 1234],
  server: ["198.51.100.1", 4321],
  initial: [77, 88],
  b: secret("another b"),
  seed: Buffer.from("another"),
  mtu: 20,
};

/** Sends something else in a step. */
export function replaced(step: string, fields: Readonly<Record<string, unknown>>): Edit {
  return (talk, say, name) => {
    if (name === step) talk.says(name, fields);
    else say();
  };
}

/** Sends nothing in a step. */
export function without(step: string): Edit {
  return (_, say, name) => {
    if (name !== step) say();
  };
}

/** Returns a function that checks values against the schema of a kind. */
export async function schemaOf(kind: string): Promise<(value: unknown) => boolean> {
  const { stdout } = await run(["schema", "--of", kind]);
  const problems = schemaCheck(JSON.parse(stdout));
  return (value) => problems(value).length === 0;
}

/** The lines of a file. */
export function linesOf(path: string): string[] {
  return readFileSync(path, "utf8").trimEnd().split("\n");
}
