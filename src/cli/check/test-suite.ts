import type { Difference } from "../../check/index.js";
import { counted } from "../../common/counted.js";
import type { TestCase, TestSuite } from "../../output/junit.js";
import { type DifferenceStyle, differenceTexts, placeText, VAULT_PLACE } from "../../output/text/difference-text.js";
import { colorless } from "../../output/text/palette.js";
import type { CheckedSession, UncheckedSession } from "./session-check.js";

/** The most differences that a report lists for one conversation. */
const MOST_REPORTED = 100;

/**
 * A session as a test suite: each of its conversations is a test, and so is the vault.
 *
 * @param expected names a message that was expected
 */
export function suiteOf(
  checked: CheckedSession | UncheckedSession,
  expected: DifferenceStyle["expected"],
  times: Pick<TestSuite, "began" | "seconds">,
): TestSuite {
  const { capture } = checked.session;
  const suite = { name: capture, file: capture, ...times };
  if (!("differences" in checked)) return { ...suite, cases: [{ name: "session", error: checked.problem }] };
  const { comparison, differences, isWhole } = checked;
  const byPlace = new Map<string, Difference[]>(comparison.messages.matches.map(({ where }) => [placeText(where), []]));
  if (comparison.nodes !== undefined) byPlace.set(VAULT_PLACE, []);
  for (const difference of differences) {
    const place = placeText(difference);
    const some = byPlace.get(place);
    if (some === undefined) byPlace.set(place, [difference]);
    else some.push(difference);
  }
  const cases = [...byPlace].map(([name, some]): TestCase => {
    if (some.length === 0) return { name };
    const style = { colors: colorless, expected };
    const texts = [...differenceTexts(some.slice(0, MOST_REPORTED), style)];
    const more = some.length - MOST_REPORTED;
    if (more > 0) texts.push(`and ${more} more; --json lists them all`);
    const text = texts.join("").trimEnd();
    return { name, failure: { message: counted(some.length, "difference"), text } };
  });
  if (!isWhole) cases.push({ name: "capture", error: `${capture}: it could not be read completely` });
  return { ...suite, cases };
}
