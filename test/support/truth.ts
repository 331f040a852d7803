import { readFileSync } from "node:fs";

/** What one that took part in a recorded session has written down of it, one record a line: test/truth. */
export function recordsOf<Line>(session: string): Line[] {
  const lines = readFileSync(new URL(`../truth/${session}.truth.jsonl`, import.meta.url), "utf8").trim();
  return lines.split("\n").map((line): Line => JSON.parse(line));
}
