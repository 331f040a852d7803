/** Characters that XML 1.0 cannot hold even when escaped, including halves of surrogate pairs. */
const UNFIT = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/** A set of tests: a capture. */
export interface TestSuite {
  readonly name: string;
  /** Of the capture. */
  readonly file: string;
  /** When the tests began. */
  readonly began: Date;
  readonly seconds: number;
  readonly cases: readonly TestCase[];
}

/** A single test: a conversation. */
export interface TestCase {
  readonly name: string;
  /** What is not as expected: in one sentence, and in full. */
  readonly failure?: { readonly message: string; readonly text: string };
  /** Why it could not be tested. */
  readonly error?: string;
}

/** Test results in the format that CI servers read: JUnit's XML, as understood by Jenkins and GitLab. */
export function junitXml(command: string, suites: readonly TestSuite[]): string {
  const cases = suites.flatMap((suite) => suite.cases);
  const time = timeOf(suites.reduce((sum, { seconds }) => sum + seconds, 0));
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name=${attribute(`moul-dissect ${command}`)}${countsOf(cases)} time="${time}">`,
  ];
  for (const suite of suites) {
    const when = ` time="${timeOf(suite.seconds)}" timestamp="${timestampOf(suite.began)}"`;
    const about = `${countsOf(suite.cases)}${when} file=${attribute(suite.file)}`;
    lines.push(`  <testsuite name=${attribute(suite.name)}${about}>`);
    for (const [index, test] of suite.cases.entries()) lines.push(...caseLines(suite, test, index));
    lines.push("  </testsuite>");
  }
  return `${lines.join("\n")}\n</testsuites>\n`;
}

function countsOf(cases: readonly TestCase[]): string {
  const failures = cases.filter(({ failure }) => failure !== undefined).length;
  const errors = cases.filter(({ error }) => error !== undefined).length;
  return ` tests="${cases.length}" failures="${failures}" errors="${errors}"`;
}

function timeOf(seconds: number): string {
  return seconds.toFixed(3);
}

/** ISO 8601 without fractions of a second and without a zone, as the schemas of JUnit's XML want it; UTC. */
function timestampOf(date: Date): string {
  return date.toISOString().slice(0, "2026-11-20T04:55:07".length);
}

/** The conversations of a capture are read together: the first test has all of their time. */
function caseLines(suite: TestSuite, { name, failure, error }: TestCase, index: number): string[] {
  const time = ` time="${timeOf(index === 0 ? suite.seconds : 0)}" file=${attribute(suite.file)}`;
  const opening = `    <testcase classname=${attribute(suite.name)} name=${attribute(name)}${time}`;
  if (failure === undefined && error === undefined) return [`${opening}/>`];
  const results = [
    ...(failure === undefined
      ? []
      : [`      <failure message=${attribute(failure.message)}>${content(failure.text)}</failure>`]),
    ...(error === undefined ? [] : [`      <error message=${attribute(error)}/>`]),
  ];
  return [`${opening}>`, ...results, "    </testcase>"];
}

function attribute(text: string): string {
  return `"${representable(text).replace(/[&<>"\t\n\r]/g, (character) => ENTITIES[character] ?? "")}"`;
}

function content(text: string): string {
  return representable(text).replace(/[&<>\r]/g, (character) => ENTITIES[character] ?? "");
}

function representable(text: string): string {
  return text.replace(UNFIT, "\ufffd");
}
