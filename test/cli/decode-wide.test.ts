import { expect, it } from "vitest";
import { run } from "../support/command-line.js";

/** Values with the two-byte `reserved` of DIRTSAND and libHSPlasma, outside a conversation. */

const NOTE = "reserved is read as 2 bytes, as DIRTSAND and libHSPlasma have it: only so does the length fit";
const UOID = "01060002ff040001000c00000004f0b29e939a0300000092100000";
const HEAD = "0100060000f1536540e20100";
const guid = (reserved: string) => `020201000000${reserved}`;
const member = (reserved: string) => `00000000${guid(reserved)}${UOID}`;

const VALUES: readonly (readonly [string, (reserved: string) => string])[] = [
  ["plClientGuid", guid],
  ["plNetMsgMemberInfoHelper", member],
  ["plNetMsgMemberUpdate", (reserved) => `b102${HEAD}${member(reserved)}01`],
  ["plNetMsgMembersList", (reserved) => `ae02${HEAD}0200${member(reserved)}${member(reserved)}`],
  ["plNetMessage", (reserved) => `b102${HEAD}${member(reserved)}01`],
  ["plCreatable", (reserved) => `b102${HEAD}${member(reserved)}01`],
];

it.each(VALUES)("decode %s reads reserved as one byte, or as two where only that fits", async (name, value) => {
  const decoded = async (reserved: string) =>
    JSON.parse((await run(["decode", name, "--json", value(reserved)])).stdout);
  expect(await decoded("01")).toMatchObject({ status: "ok", notes: [] });

  expect(await decoded("0100")).toMatchObject({ status: "ok", notes: [{ severity: "note", text: NOTE }] });
  expect(await decoded("010000")).toMatchObject({ status: "malformed" });
});

it("decode shows the note in a tree, too", async () => {
  expect((await run(["decode", "plClientGuid", guid("0100")])).stdout).toContain(NOTE);
});
