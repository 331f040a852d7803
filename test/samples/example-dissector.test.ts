import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { exampleCapture } from "../support/example-capture.js";

const CAPTURE = fileURLToPath(new URL("../../samples/example-dissector/parley.pcap", import.meta.url));

it("the example's capture is what its script writes (UPDATE_SAMPLES=1 writes it)", () => {
  if (process.env["UPDATE_SAMPLES"]) writeFileSync(CAPTURE, exampleCapture());
  expect(Buffer.compare(readFileSync(CAPTURE), exampleCapture())).toBe(0);
});
