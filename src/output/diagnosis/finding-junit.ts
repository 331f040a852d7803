import { type Finding, findingKinds, kindsInOrder } from "../../diagnose/index.js";
import type { TestCase, TestSuite } from "../junit.js";
import { colorless } from "../text/palette.js";
import { findingLines } from "./finding-text.js";

/** A diagnosis as a test suite: each kind of finding is a test, which fails if there is one that is more than a note. */
export function diagnosisSuite(findings: readonly Finding[], about: Omit<TestSuite, "cases">): TestSuite {
  const cases = kindsInOrder
    .filter((kind) => findingKinds[kind] !== "note")
    .map((kind): TestCase => {
      const found = findings.filter((finding) => finding.kind === kind);
      if (found.length === 0) return { name: kind };
      const style = { colors: colorless, width: Number.POSITIVE_INFINITY, declaration: () => undefined };
      const text = found
        .map((finding) => findingLines(finding, style))
        .join("")
        .trimEnd();
      const count = found.reduce((sum, finding) => sum + finding.count, 0);
      return { name: kind, failure: { message: `${kind}: ${count}`, text } };
    });
  return { ...about, cases };
}
