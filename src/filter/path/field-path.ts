import type { Json } from "../../common/json.js";
import { isNamed } from "../../schema/describe/declared-parts.js";
import type { Derived } from "../../schema/language/derived.js";
import type { Field } from "../../schema/language/field.js";
import type { FieldTree } from "../../schema/language/field-tree.js";
import { Opcode } from "../../schema/language/opcode.js";
import { classOf } from "../../schema/tree/label.js";
import { PerField } from "../../schema/tree/per-field.js";
import { derivedScalar } from "../derived-scalar.js";
import { always, type Predicate } from "../predicate.js";
import { CLASS, isCalled, type Term } from "../vocabulary.js";
import { PathSelection } from "./path-selection.js";
import type { Step } from "./step.js";

/**
 * A path to fields of messages. Its first name is searched for at any depth. Each further name is a field of what
 * precedes it, whether that is repeated or not; if no such field is declared there, the name is searched for at any
 * depth below, so that the structures in between need not be named. A class stands for the objects of that class and of
 * those derived from it; after a field, it may say which class the value must have.
 */
export class FieldPath {
  /** Index of the last name that has to be directly below the preceding one. */
  readonly #lastDirect: number;
  readonly #found: PathSelection;
  readonly #read: PathSelection;
  /** Which nodes each name stands for, as far as their fields say. */
  readonly #fitting: readonly PerField<Fit>[];

  constructor(
    readonly steps: readonly Step[],
    /** What its last name stands for; undefined if that cannot be known. */
    readonly term: Term | undefined,
  ) {
    this.#lastDirect = steps.findLastIndex(({ isDirect }) => isDirect);
    this.#found = new PathSelection(steps, false);
    this.#read = new PathSelection(steps, true);
    this.#fitting = steps.map((step) => new PerField((field) => fitOf(field, step)));
  }

  /**
   * True if one of the nodes, or of their derived values, satisfies the test, which is given the tree that they are in: it
   * may have no others. A node may be tested twice.
   */
  some(nodes: FieldTree, test: Predicate): boolean {
    const tree = nodes.selected(test === always ? this.#found : this.#read);
    return this.#search(tree, 0, tree.count, 0, test);
  }

  /** Searches for the names from `index` on among some nodes. */
  #search(nodes: FieldTree, from: number, end: number, index: number, test: Predicate): boolean {
    const step = this.steps[index];
    if (step === undefined) return false;
    for (let node = from; node < end; ) {
      const isFound = this.#fits(nodes, node, index, step);
      if (isFound && this.#below(nodes, node, index + 1, test)) return true;
      if (step.isDerived && this.#someDerived(nodes, node, index, test)) return true;
      node = isFound && this.#findsAll(index) ? nodes.nextOf(node) : node + 1;
    }
    return false;
  }

  /** True for a node that a name stands for. */
  #fits(nodes: FieldTree, node: number, index: number, step: Step): boolean {
    const field = nodes.fields[node];
    if (field === undefined) return false;
    const fit = this.#fitting[index]?.of(field);
    return fit === SOME ? fitsItself(nodes, node, field, step) : fit === ALL;
  }

  /**
   * True if the first node found by a name makes further ones below it superfluous: the names after it find the same.
   */
  #findsAll(index: number): boolean {
    return index + 1 < this.steps.length && this.#lastDirect <= index;
  }

  /**
   * Searches for the names from `index` on at and below a node, which the preceding name has found. If there are no
   * more names, the node itself is meant.
   */
  #below(nodes: FieldTree, node: number, index: number, test: Predicate): boolean {
    const step = this.steps[index];
    if (step === undefined) return test === always || testValue(nodes, node, test);
    if (isOfClass(nodes, node, step)) {
      if (this.#below(nodes, node, index + 1, test)) return true;
      if (this.#findsAll(index)) return false;
    }
    if (step.isDerived && this.#someDerived(nodes, node, index, test)) return true;
    if (step.isDirect) return this.#members(nodes, node, step, index, test);
    return this.#search(nodes, node + 1, nodes.nextOf(node), index, test);
  }

  /** Searches for the names from `index` on among the members of a node, or of the elements of an array. */
  #members(nodes: FieldTree, parent: number, step: Step, index: number, test: Predicate): boolean {
    for (let node = parent + 1; node < nodes.nextOf(parent); node = nodes.nextOf(node)) {
      if (this.#fits(nodes, node, index, step)) {
        if (this.#below(nodes, node, index + 1, test)) return true;
      } else if (nodes.field(node).name === "") {
        if (step.isDerived && this.#someDerived(nodes, node, index, test)) return true;
        if (this.#members(nodes, node, step, index, test)) return true;
      }
    }
    return false;
  }

  #someDerived(nodes: FieldTree, node: number, index: number, test: Predicate): boolean {
    const { struct, opcode } = nodes.field(node);
    const name = this.steps[index]?.name;
    if (name === CLASS && opcode === Opcode.Polymorphic) {
      const className = classOf(nodes, node);
      return className !== undefined && this.#someMember(className, index + 1, test);
    }
    for (const derived of struct?.derived ?? []) {
      if (derived.name !== name) continue;
      const isFound =
        index + 1 < this.steps.length
          ? this.#someMember(derived.meaning?.(nodes, node) ?? derived.of(nodes, node), index + 1, test)
          : testDerived(derived, nodes, node, test);
      if (isFound === true) return true;
    }
    return false;
  }

  /** Follows the rest of the path within a value that is not a node. */
  #someMember(value: Json | undefined, index: number, test: Predicate): boolean {
    const step = this.steps[index];
    if (value === undefined) return false;
    if (step === undefined) return test.scalar(value);
    if (typeof value !== "object" || value === null) return false;
    return Object.entries(value).some(([name, member]) =>
      this.#someMember(member, name === step.name ? index + 1 : index, test),
    );
  }
}

/** Tests what a path to a node means: where a struct says so, the field or derived value with its value, if any. */
function testValue(nodes: FieldTree, node: number, test: Predicate): boolean {
  const { struct } = nodes.field(node);
  const derived = struct?.derivedValue && testDerived(struct.derivedValue, nodes, node, test);
  if (derived !== undefined) return derived;
  const child = struct?.valueField === undefined ? -1 : nodes.child(node, struct.valueField);
  return test.node(nodes, child < 0 ? node : child);
}

/** Tests a derived value of the struct at a node; undefined if it has none. */
function testDerived(derived: Derived, nodes: FieldTree, node: number, test: Predicate): boolean | undefined {
  const value = derived.of(nodes, node);
  const meant = derived.meaning?.(nodes, node) ?? value;
  return meant === undefined ? undefined : test.scalar(derivedScalar(derived, value ?? meant, meant));
}

/** Which nodes of a field a name stands for. */
interface Fit {
  readonly nodes: "all" | "none" | "some";
}

const ALL: Fit = { nodes: "all" };
const NONE: Fit = { nodes: "none" };
const SOME: Fit = { nodes: "some" };

function fitOf(field: Field, { name, isField, isClass, isLoose }: Step): Fit {
  const { struct, opcode } = field;
  if (isField && isCalled(field, name)) return ALL;
  if (isClass && struct !== undefined && isNamed(struct, name)) return ALL;
  const isSome =
    (isClass && struct === undefined && opcode === Opcode.Polymorphic) || (isLoose && struct !== undefined);
  return isSome ? SOME : NONE;
}

/** The same for a node of a field that does not say it. */
function fitsItself(nodes: FieldTree, node: number, { struct }: Field, step: Step): boolean {
  if (step.isClass && isOfClass(nodes, node, step)) return true;
  if (!step.isLoose) return false;
  return struct?.derived.some(({ name, of }) => name === "name" && of(nodes, node) === step.name) === true;
}

function isOfClass(nodes: FieldTree, node: number, { name, isClass }: Step): boolean {
  const field = nodes.fields[node];
  if (!isClass || field === undefined) return false;
  if (field.struct !== undefined) return isNamed(field.struct, name);
  // A class about which only the name is known.
  return field.opcode === Opcode.Polymorphic && classOf(nodes, node) === name;
}
