import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  interfaceIn,
  programAdvice,
  recordingProgram,
  rightsAdvice,
  whereText,
} from "../../../src/cli/live/recording-program.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const ProgramFiles = temporaryFolder();
const path = join(ProgramFiles, "Wireshark", "dumpcap.exe");
mkdirSync(join(ProgramFiles, "Wireshark"));
writeFileSync(path, "", { mode: 0o755 });

it("on Windows, dumpcap is found where Wireshark has put it, which is not on the path", () => {
  expect(recordingProgram({ PATH: "", ProgramFiles }, true)).toEqual({ name: "dumpcap", path });
  expect(recordingProgram({ PATH: "" }, true)).toBeUndefined();
  expect(recordingProgram({ PATH: "", ProgramFiles }, false)).toBeUndefined();
});

it("it is said where a program records if the user has not said it", () => {
  const dumpcap = { name: "dumpcap", path } as const;
  const said = "Capturing on 'Local Area Connection* 10'\r\nFile: -\r\n";
  expect(whereText(dumpcap, "Ethernet", interfaceIn(said))).toBe(" on Ethernet");
  expect(whereText(dumpcap, undefined, interfaceIn(said))).toBe(
    " on Local Area Connection* 10, the first interface that it found (-i takes another; dumpcap -D lists them)",
  );
  expect(whereText(dumpcap, undefined, interfaceIn(""))).toBe(
    " on the first interface that it found (-i takes another; dumpcap -D lists them)",
  );
  expect(interfaceIn("tcpdump: data link type PKTAP\ntcpdump: listening on en0, link-type EN10MB\n")).toBe("en0");
  expect(interfaceIn("listening on eth0, link-type EN10MB")).toBe("eth0");
});

it("what to do is what can be done on the system", () => {
  const program = { name: "dumpcap", path } as const;
  const texts = [programAdvice(true), rightsAdvice(program, "permission denied", true)];
  expect(texts.join()).not.toMatch(/sudo|package|group/);
  expect(texts.join()).toMatch(/Wireshark.*administrator/);
  expect(rightsAdvice(program, "permission denied", false)).toContain("sudo");
});
