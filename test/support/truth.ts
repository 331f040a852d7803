import { readFileSync } from "node:fs";

/** What a participant in a recorded session wrote down about it, one record per line: test/truth. */
export function recordsOf<Line>(session: string): Line[] {
  const lines = readFileSync(new URL(`../truth/${session}.truth.jsonl`, import.meta.url), "utf8").trim();
  return lines.split("\n").map((line): Line => JSON.parse(line));
}
