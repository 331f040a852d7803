import { basename } from "node:path";
import { Option } from "commander";
import type { CaptureName } from "../../output/writers/capture-name.js";
import { printable } from "../../output/writers/sanitise.js";
import { widthOf } from "../../output/writers/text-width.js";
import { captureName } from "../../platform/node/capture-file.js";
import type { CaptureRun } from "../run/capture-run.js";
import { Label } from "./label.js";

/** Captures that are one recording. */
export interface Recording {
  readonly captures: readonly string[];
  /** Where each capture is a recording of its own: which one it is, and its name. */
  readonly alone?: { readonly index: number; readonly label: Label };
}

/** The option for captures that have nothing to do with each other, for commands that print several lines for each. */
export function eachOption(): Option {
  return new Option("--each", "each capture is a recording of its own; its name stands above what is printed of it");
}

/** What is read together: all captures, or one of them. */
export function recordingsOf(captures: readonly string[], isEach: boolean | undefined): readonly Recording[] {
  return isEach === true ? labelled(captures) : [{ captures }];
}

/** Captures as recordings of their own: their names, without folders as far as these are different. */
function labelled(captures: readonly string[]): Recording[] {
  const short = captures.map((path) => basename(captureName(path)));
  const areDifferent = new Set(short).size === new Set(captures).size;
  const names = captures.map((path, index) => printable(areDifferent ? (short[index] ?? path) : captureName(path)));
  const most = Math.max(...names.map(widthOf));
  return captures.map((path, index) => {
    return { captures: [path], alone: { index, label: new Label(names[index] ?? path, most) } };
  });
}

/** What JSON says of a recording that is one of several; undefined if there is only one. */
export function captureOfLine({ alone }: Recording): CaptureName | undefined {
  return alone && { name: alone.label.name, index: alone.index };
}

/** Says something about a recording on standard error, with its name if it is one of several. */
export function remarkOn(run: CaptureRun, { alone }: Recording, text: string): void {
  run.remark(alone === undefined ? text : `${alone.label.name}: ${text}`);
}

/** What stands above the text about a recording: nothing if there is only one. */
export function titleOf({ alone }: Recording, heading: (text: string) => string, isFirst = alone?.index === 0): string {
  if (alone === undefined) return "";
  return `${isFirst ? "" : "\n"}${heading(alone.label.name)}\n`;
}
