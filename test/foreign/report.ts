import type { Difference } from "./compare.js";
import type { FileResult } from "./examination.js";

/** The least share of directions that are equal or explained. */
const LEAST = 0.995;

/** Whether nothing was recognised, nothing failed, and enough is equal or explained, in each project. */
export function isPassed(results: readonly FileResult[]): boolean {
  const isClean = results.every(({ recognised, remarks }) => recognised.length === 0 && !remarks.some(isFailure));
  return isClean && [...byProject(results).values()].every((ofProject) => share(ofProject) >= LEAST);
}

/** What was found, as text: a line for each project, the kinds of differences, and those without a reason. */
export function report(results: readonly FileResult[]): string {
  const lines = ["project           files  captures  conversations  directions   equal  explained  other  share"];
  for (const [project, ofProject] of byProject(results)) {
    const differences = ofProject.flatMap((result) => result.differences);
    const without = differences.filter(({ reason }) => reason === undefined).length;
    const numbers = [
      String(ofProject.length).padStart(6),
      String(ofProject.filter(({ isCapture }) => isCapture).length).padStart(9),
      String(sum(ofProject.map(({ conversations }) => conversations))).padStart(14),
      String(sum(ofProject.map(({ directions }) => directions))).padStart(11),
      String(sum(ofProject.map(({ equal }) => equal))).padStart(7),
      String(differences.length - without).padStart(10),
      String(without).padStart(6),
      `${(100 * share(ofProject)).toFixed(2)} %`.padStart(8),
    ];
    lines.push(`${project.padEnd(16)} ${numbers.join(" ")}`);
  }
  lines.push("", "differences by kind", ...kinds(results.flatMap(({ differences }) => differences)));
  lines.push("", "differences without a reason");
  for (const { project, file, differences } of results) {
    for (const { stream, sender, kind, detail, reason } of new Set(differences)) {
      if (reason === undefined) lines.push(`  ${project}/${file}, stream ${stream}, ${sender}: ${kind}; ${detail}`);
    }
  }
  lines.push("", "recognised");
  for (const { project, file, recognised } of results) {
    lines.push(...recognised.map((text) => `  ${project}/${file}: ${text}`));
  }
  lines.push("", "captures read otherwise, or not at all");
  for (const { project, file, isCapture, remarks } of results) {
    if (isCapture) lines.push(...remarks.map((text) => `  ${project}/${file}: ${text}`));
  }
  return lines.join("\n");
}

function kinds(differences: readonly Difference[]): string[] {
  const counts = new Map<string, number>();
  for (const { kind, reason } of differences) {
    const text = `${kind}${reason === undefined ? "" : `: ${reason}`}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return sorted.map(([text, count]) => `${String(count).padStart(6)}  ${text}`);
}

/** The share of directions that are equal or explained. */
function share(results: readonly FileResult[]): number {
  const directions = sum(results.map((result) => result.directions));
  const without = sum(
    results.map(({ differences }) => differences.filter(({ reason }) => reason === undefined).length),
  );
  return directions === 0 ? 1 : (directions - without) / directions;
}

function isFailure(remark: string): boolean {
  return remark.startsWith("failed: ") || remark.startsWith("internal error: ");
}

function byProject(results: readonly FileResult[]): Map<string, FileResult[]> {
  const projects = new Map<string, FileResult[]>();
  for (const result of results) {
    const known = projects.get(result.project);
    if (known === undefined) projects.set(result.project, [result]);
    else known.push(result);
  }
  return projects;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
