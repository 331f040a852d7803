import type { CaptureSource } from "../capture/source.js";
import { type CaptureInput, captureOf } from "../pipeline/capture-input.js";

/** One capture, or several, which are read one after the other, as one continuous recording. */
export type CaptureInputs = CaptureInput | readonly CaptureInput[];

/** The captures in what a program gives. */
export function capturesIn(inputs: CaptureInputs): readonly CaptureSource[] {
  return isList(inputs) ? inputs.map((input) => captureOf(input)) : [captureOf(inputs)];
}

function isList(inputs: CaptureInputs): inputs is readonly CaptureInput[] {
  return Array.isArray(inputs);
}
