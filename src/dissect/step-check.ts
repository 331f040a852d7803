import type { Assembled, Candidate, Step } from "../dissector/dissector.js";
import { expectNoPromise } from "../dissector/promise-check.js";
import { type FieldTree, severities } from "../schema/language/field-tree.js";
import { isStructType } from "../schema/language/is-type.js";
import { playerTroubles } from "../schema/language/message-context.js";
import { outcomes } from "../schema/language/outcome.js";
import type { StructType } from "../schema/language/struct.js";

/**
 * Returns the step if it is valid, else throws a TypeError that says what is wrong with it. External dissectors may be
 * plain JavaScript, which no compiler has checked.
 */
export function checkedStep(step: Step): Step {
  const given: unknown = step;
  if (typeof given !== "object" || given === null)
    throw new TypeError(`next() returned ${String(given)} instead of a step`);
  expectNoPromise(given, "next()");
  switch (step.step) {
    case "message":
      checkedType(step.type);
      checkLength(step.length);
      return step;
    case "unknown":
    case "malformed":
      checkedType(step.head);
      checkLength(step.length);
      checkText(step.name, "name");
      checkText(step.reason, "reason");
      return step;
    case "more":
      if (!Number.isFinite(step.bytes)) throw new TypeError(`next() asked for ${String(step.bytes)} bytes`);
      return step;
    case "encrypted":
    case "foreign":
      checkText(step.reason, "reason");
      return step;
    case "wait":
    case "search":
      return step;
    default:
      throw new TypeError(`next() returned a step of an unknown kind: ${String(Reflect.get(given, "step"))}`);
  }
}

/** Returns what a dissector has found while searching, if it is valid; else throws a TypeError. */
export function checkedCandidate(candidate: Candidate | "more"): Candidate | "more" {
  expectNoPromise(candidate, "candidate()");
  if (candidate === "more") return candidate;
  const given: unknown = candidate;
  if (typeof given !== "object" || given === null)
    throw new TypeError(`candidate() returned ${String(given)} instead of { type, length, bits }, "more" or undefined`);
  checkedType(candidate.type);
  checkLength(candidate.length, "candidate()");
  if (!Number.isFinite(candidate.bits))
    throw new TypeError(`candidate() returned ${String(candidate.bits)} as the bits of a message`);
  return candidate;
}

/** Returns what a dissector has assembled, if it is valid; else throws a TypeError. */
export function checkedAssembled(assembled: Assembled): Assembled {
  expectNoPromise(assembled, "assembled()");
  const { bytes, parts }: { readonly bytes?: unknown; readonly parts?: unknown } = Object(assembled);
  const isSound =
    bytes instanceof Uint8Array && Array.isArray(parts) && parts.every((part) => Array.isArray(part?.frames));
  if (!isSound) throw new TypeError("assembled() returned something other than { type, bytes, parts }");
  checkedType(assembled.type);
  return assembled;
}

function checkLength(length: number | undefined, method = "next()"): void {
  if (length !== undefined && !(Number.isSafeInteger(length) && length > 0)) {
    throw new TypeError(`${method} returned a message of ${String(length)} bytes`);
  }
}

function checkText(text: string, what: string): void {
  if (typeof text !== "string") throw new TypeError(`next() returned ${String(text)} as the ${what} of a step`);
}

/**
 * Returns the type if it is that of a struct, else throws a TypeError. It may come from another copy of the schema
 * language, since an external dissector may bring its own.
 */
export function checkedType<T extends StructType<unknown>>(type: T): T {
  if (isStructType(type)) return type;
  throw new TypeError("the type of a message is not made by struct() or derive()");
}

/** Throws a TypeError if anything that a dissector has added to a message is invalid. */
export function checkRemarks(nodes: FieldTree): void {
  const { annotations, context, notes, outcome } = nodes;
  if (!OUTCOMES.includes(outcome)) throw new TypeError(`decoded() made a note with the outcome ${String(outcome)}`);
  for (const { node, severity, text } of notes) {
    const isSound = node >= 0 && node < nodes.count && SEVERITIES.includes(severity) && typeof text === "string";
    if (!isSound) throw new TypeError("decoded() made an invalid note (node, severity or text)");
  }
  for (const [node, text] of annotations) {
    if (typeof text !== "string") throw new TypeError("decoded() annotated a node with something that is not a text");
    if (!(node >= 0 && node < nodes.count)) {
      throw new TypeError(
        `decoded() annotated node ${node}, which does not exist (child() returns -1 for an absent field)`,
      );
    }
  }
  if (context === undefined) return;
  const { player, place, answers, asks, forgets, error, trouble, version } = context;
  const isSound =
    isReferent(player) &&
    isReferent(place) &&
    isAnswer(answers) &&
    isAnswer(forgets) &&
    (typeof asks === "boolean" || (isTextOrNothing(asks) && asks !== "")) &&
    isTextOrNothing(error) &&
    (trouble === undefined || TROUBLES.includes(trouble)) &&
    isVersion(version);
  if (!isSound) throw new TypeError("decoded() set an invalid context");
}

const SEVERITIES: readonly unknown[] = severities;
const OUTCOMES: readonly unknown[] = outcomes;

const TROUBLES: readonly unknown[] = playerTroubles;

function isVersion(version: unknown): boolean {
  if (version === undefined) return true;
  const { of, value }: { of?: unknown; value?: unknown } = Object(version);
  return typeof of === "string" && typeof value === "string";
}

function isTextOrNothing(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

function isReferent(referent: unknown): boolean {
  if (referent === undefined) return true;
  const { kind, id, idTitle }: { kind?: unknown; id?: unknown; idTitle?: unknown } = Object(referent);
  return typeof kind === "string" && typeof id === "string" && isTextOrNothing(idTitle);
}

function isAnswer(answer: unknown): boolean {
  if (answer === undefined) return true;
  const { number, name, milliseconds }: { number?: unknown; name?: unknown; milliseconds?: unknown } = Object(answer);
  const hasTime = milliseconds === undefined || Number.isFinite(milliseconds);
  return Number.isSafeInteger(number) && typeof name === "string" && hasTime;
}
