import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { programAdvice, recordingProgram, rightsAdvice } from "../../../src/cli/live/recording-program.js";
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

it("what to do is what can be done on the system", () => {
  const program = { name: "dumpcap", path } as const;
  const texts = [programAdvice(true), rightsAdvice(program, "permission denied", true)];
  expect(texts.join()).not.toMatch(/sudo|package|group/);
  expect(texts.join()).toMatch(/Wireshark.*administrator/);
  expect(rightsAdvice(program, "permission denied", false)).toContain("sudo");
});
