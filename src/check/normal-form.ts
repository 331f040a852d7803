import { sha256 } from "@noble/hashes/sha2.js";
import { isArray, isObject, type Json, jsonText } from "../common/json.js";
import { rangeNames } from "../dissect/sync/skipped-range.js";
import type { Field } from "../schema/language/field.js";
import type { Struct } from "../schema/language/struct.js";
import { ancestors, inOrder, Kinds, sorted } from "./declared.js";
import { everywhere, type Place } from "./ignored-paths.js";
import type { Line } from "./line.js";
import type { NodeLine } from "./nodes/node-line.js";
import { fits, TIME, type Visitor, Walk } from "./walk.js";

/** What a label belongs to: within the same space, the same value stands for the same thing. */
export interface Space {
  readonly what: string;
  readonly within: "conversation" | "recording";
}

/** What messages that differ only in their values have in common. */
interface Shape {
  readonly message: string;
  readonly classes: readonly string[];
  /**
   * Name of the message and the outer classes in it: only messages of the same kind can be changed forms of each other.
   */
  readonly kind: string;
  /** The spaces of the labels in it, in order. */
  readonly spaces: readonly Space[];
}

/** How many classes tell of which kind a message is: a message that carries another one, as in MOUL's games. */
const CLASSES_THAT_TELL = 2;

/** The content of messages, without what differs between two recordings of the same session. Equal ones share one. */
export class Form {
  /** Kept outside the heap, whose size is limited. */
  readonly #bytes: Uint8Array;

  constructor(
    readonly id: number,
    readonly shape: Shape,
    text: string,
  ) {
    this.#bytes = Buffer.from(text);
  }

  /** As JSON. */
  get text(): string {
    return new TextDecoder().decode(this.#bytes);
  }
}

/** A message of a recording. */
export interface Entry {
  readonly form: Form;
  /** Its labels, as JSON. */
  readonly labels: readonly string[];
  /** The texts of its notes, where known, which are not compared. */
  readonly noteTexts: readonly (string | undefined)[];
  /** Number of the message, or of the line. */
  readonly at: number;
  /** False if `--only` leaves out differences in this message. */
  readonly counts: boolean;
}

/** Most messages have no notes. */
const NO_TEXTS: Entry["noteTexts"] = [];

/** A message without what differs between two recordings. */
interface NormalMessage extends Pick<Entry, "form" | "labels" | "noteTexts"> {
  /** How many states in it were not compared, because their format is not known. */
  readonly opaque: number;
}

/** What is left out of the comparison, besides what is never compared. */
export interface LeftOut {
  readonly place: Place;
  /** Names of facts that every message has: "status", "notes", "length". */
  readonly facts: ReadonlySet<string>;
  /** Of nodes: types, names of fields, or both with a dot between. */
  readonly ofNodes: ReadonlySet<string>;
  /** Those of them that a node has had: added while nodes are put into the form in which they are compared. */
  readonly foundOfNodes: Set<string>;
}

/** Everything is compared, except what is never compared. */
export const nothingLeftOut: LeftOut = {
  place: everywhere,
  facts: new Set(),
  ofNodes: new Set(),
  foundOfNodes: new Set(),
};

/** Member name in place of a value that only stands for something; no declared field can have this name. */
export const LABEL = "~label";
/** The same for a value of which it is compared only whether it is zero or empty. */
export const VARYING = "~varying";

/** The name under which what belongs to a node is compared. */
export const CHILDREN = "children";

/** Removes from messages what differs between two recordings of the same session. */
export class NormalForms {
  readonly #structs = new Map<string, Struct[]>();
  /** By a hash of their content: keyed by the text, each would be kept twice. */
  readonly #forms = new Map<string, Form>();
  readonly #shapes = new Map<string, Shape>();
  readonly #kinds: Kinds;

  constructor(
    messages: readonly Struct[],
    readonly leftOut: LeftOut = nothingLeftOut,
  ) {
    for (const struct of messages) {
      const same = this.#structs.get(struct.name);
      if (same === undefined) this.#structs.set(struct.name, [struct]);
      else same.push(struct);
    }
    this.#kinds = new Kinds(messages);
  }

  /** A message in the form in which it is compared; undefined if it is left out as a whole. */
  of(line: Line): NormalMessage | undefined {
    const { protocol, message, status, fields, notes } = line;
    const { facts, place } = this.leftOut;
    const struct = this.#structOf(message, fields);
    const within = place.enter(message, struct === undefined ? [message] : ancestors(struct));
    if (within === undefined) return undefined;
    const labels: string[] = [];
    const spaces: Space[] = [];
    const classes: string[] = [];
    let opaque = 0;
    const visitor: Visitor = {
      keepsSurplus: false,
      varying,
      opaque: (value) => {
        opaque++;
        return varying(value);
      },
      label: (value, field) => {
        if (isNothing(value)) return value;
        labels.push(labelOf(value, field));
        spaces.push(this.#spaceOf(field));
        return { [LABEL]: labels.length - 1 };
      },
      classNamed: (name) => void classes.push(name),
    };
    const said = rangeNames.some((name) => name === message)
      ? range(message, fields, facts)
      : struct === undefined
        ? fields
        : new Walk(visitor).members(struct, fields, within);
    const compared = {
      message,
      protocol,
      ...(!facts.has("status") && { status }),
      fields: said,
      ...(!facts.has("notes") && { notes: notes.map(({ severity, path }) => `${severity} ${path}`.trimEnd()) }),
    };
    const form = this.#form(message, jsonText(compared), spaces, classes);
    const noteTexts = notes.length === 0 ? NO_TEXTS : notes.map(({ text }) => text);
    return { form, labels, noteTexts, opaque };
  }

  /** A node in the form in which it is compared, without what belongs to it; undefined if it is left out as a whole. */
  ofNode(node: NodeLine): NormalMessage | undefined {
    const { type, title, seen, deleted, stale, asked, fields, refersTo, children } = node;
    if (this.leavesOut(type)) return undefined;
    // What belongs to a node is compared elsewhere; it is found here.
    if (children.length > 0) this.leavesOut(type, CHILDREN);
    const labels: string[] = [];
    const spaces: Space[] = [];
    const facts = { title, seen, deleted, stale, asked };
    const members = Object.entries(fields).map(([name, value]): [string, Json] => {
      const own = Object.hasOwn(facts, name) ? `.${name}` : name;
      const kinds = Object.hasOwn(refersTo, name) ? refersTo[name] : undefined;
      if (kinds === undefined || isNothing(value)) return [own, withoutTimes(value)];
      labels.push(JSON.stringify(value));
      spaces.push(this.spaceOf(kinds));
      return [own, { [LABEL]: labels.length - 1 }];
    });
    const compared = [...Object.entries(facts), ...members].filter(([name]) => !this.leavesOut(type, name));
    // In any order: changes may have come in another one.
    const said = Object.fromEntries(sorted(compared, () => 0));
    const form = this.#form(type, jsonText({ message: type, fields: said }), spaces, []);
    return { form, labels, noteTexts: NO_TEXTS, opaque: 0 };
  }

  /** True for what is left out of nodes of a type: the nodes as a whole, or a field of theirs. */
  leavesOut(type: string, field?: string): boolean {
    const { ofNodes, foundOfNodes } = this.leftOut;
    if (ofNodes.size === 0) return false;
    const names = field === undefined ? [type] : [field, `${type}.${field}`];
    const found = names.filter((name) => ofNodes.has(name));
    for (const name of found) foundOfNodes.add(name);
    return found.length > 0;
  }

  /** Where a number belongs that may stand for things of some kinds. */
  spaceOf(kinds: readonly string[]): Space {
    return { what: this.#kinds.representing(kinds), within: "recording" };
  }

  /** The fields of a message with other labels. @param mapped gives the label that stands for the same thing */
  relabelled({ message, fields }: Line, mapped: (label: string, space: Space) => string): Json {
    const struct = this.#structOf(message, fields);
    if (struct === undefined) return fields;
    const keep = (value: Json) => value;
    const label = (value: Json, field: Field): Json =>
      isNothing(value) ? value : JSON.parse(mapped(labelOf(value, field), this.#spaceOf(field)));
    return new Walk({ keepsSurplus: true, varying: keep, opaque: keep, label }).members(struct, fields, everywhere);
  }

  #spaceOf(field: Field): Space {
    const within = field.sameness?.form === "stands for" ? field.sameness.within : "recording";
    return { what: this.#kinds.of(field), within };
  }

  /** The declaration of a message; of several with its name, the one that has all of its fields. */
  #structOf(message: string, fields: Json): Struct | undefined {
    const structs = this.#structs.get(message) ?? [];
    return structs.find((struct) => structs.length === 1 || fits(struct, fields)) ?? structs[0];
  }

  #form(message: string, text: string, spaces: readonly Space[], classes: readonly string[]): Form {
    const hash = Buffer.from(sha256(Buffer.from(text))).toString("base64");
    const known = this.#forms.get(hash);
    if (known !== undefined) return known;
    const form = new Form(this.#forms.size, this.#shape(message, spaces, classes), text);
    this.#forms.set(hash, form);
    return form;
  }

  #shape(message: string, spaces: readonly Space[], classes: readonly string[]): Shape {
    const kind = [message, ...classes.slice(0, CLASSES_THAT_TELL)].join(" ");
    const key = [message, ...classes, ...spaces.map(({ what, within }) => `${within}:${what}`)].join(" ");
    let shape = this.#shapes.get(key);
    if (shape === undefined) {
      shape = { message, classes, kind, spaces };
      this.#shapes.set(key, shape);
    }
    return shape;
  }
}

function labelOf(value: Json, { struct }: Field): string {
  const isWhole = struct === undefined || !isObject(value);
  return JSON.stringify(isWhole ? value : Object.fromEntries(inOrder(struct, value)));
}

function varying(value: Json): Json {
  return { [VARYING]: isNothing(value) ? "(zero or empty)" : "(any value)" };
}

/** A value of a field that is not declared, without the times in it. */
function withoutTimes(value: Json): Json {
  if (typeof value === "string") return TIME.test(value) ? varying(value) : value;
  if (isArray(value)) return value.map(withoutTimes);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutTimes(member)]));
}

/**
 * What is compared of a range that is not a message. Its place is not, since that depends on what came before. For
 * bytes that cannot be decrypted, not even the length means anything: they may have been compressed.
 */
function range(message: string, fields: Json, facts: ReadonlySet<string>): Json {
  const { length = 0 } = isObject(fields) ? fields : {};
  return message === "encrypted" || facts.has("length") ? {} : { length };
}

const NOTHING = /^([0-]*|0\.0\.0\.0|1970-01-01T00:00:00(\.0+)?Z)$/;

/** True for zero in any form, and for whatever is empty: values that stand for nothing. */
function isNothing(value: Json): boolean {
  if (typeof value === "string") return NOTHING.test(value);
  if (isArray(value)) return value.every(isNothing);
  if (isObject(value)) return Object.values(value).every(isNothing);
  return value === 0 || value === null || value === false;
}
