import type { FieldTree } from "../../schema/language/field-tree.js";
import { has64Bits, Opcode } from "../../schema/language/opcode.js";
import { readNumber } from "../../schema/tree/leaf.js";
import type { Leaf } from "../columns/leaf.js";
import { NumberValues } from "../columns/number-values.js";
import type { PrefixedValues } from "../columns/prefixed-values.js";
import type { RowBatch } from "../columns/row-batch.js";
import { type EnterValue, type ListPart, levelWithout, type Members, MISFIT, type NumberPart } from "./part.js";
import { type At, type Operations, PlanMaker } from "./plan-maker.js";
import { Shape } from "./shape.js";

/** What is done with a node, for which column, and the place of its leaf in a batch. */
interface Placed<P> extends At<P> {
  readonly column: number;
  readonly slot: number;
}

/** A text, bytes or JSON, and where it goes. */
interface PlacedText {
  readonly enter: EnterValue;
  readonly values: PrefixedValues;
  /** The level of a value that is there. */
  readonly deepest: number;
  readonly step: number;
  readonly column: number;
  readonly slot: number;
}

/** Numbers that fit, whatever they are: their opcodes, at which steps they are, and where they go. */
interface PlainNumbers {
  readonly opcodes: Uint8Array;
  readonly steps: Int32Array;
  readonly slots: Int32Array;
  /** 1 for those that have two places. */
  readonly wide: Uint8Array;
}

/** What is done for rows of structs that have certain fields. */
export class RowPlan {
  readonly shape: Shape;
  /** False if not all values have a column that they fit. */
  readonly #fits: boolean;
  /** The levels that all rows have, unless a value does not fit. */
  readonly #levels: Uint8Array;
  readonly #plain: PlainNumbers;
  readonly #numbers: readonly Placed<NumberPart>[];
  readonly #texts: readonly PlacedText[];
  readonly #lists: readonly Placed<ListPart>[];
  /** Lists that are not there, and at which level. */
  readonly #noLists: readonly { readonly leaf: Leaf; readonly level: number; readonly column: number }[];
  /** The places of each column that can be null because something does not fit. */
  readonly #slots = new Map<number, number[]>();
  /** The columns of the row at hand that have to be null. */
  readonly #misfits = new Set<number>();

  constructor(
    fields: Members,
    readonly batch: RowBatch,
    nodes: FieldTree,
    node: number,
  ) {
    const maker = new PlanMaker(nodes);
    const { columns, fits } = maker.struct(fields, node, 0, 0);
    this.shape = new Shape(maker, nodes.field(node).struct);
    this.#fits = fits;
    const each = <T, U>(of: (one: Operations) => readonly T[], make: (one: T, column: number) => U): U[] =>
      columns.flatMap((one, column) => (one === undefined ? [] : of(one).map((own) => make(own, column))));
    const placed = <P extends { readonly leaf: Leaf }>({ part, step }: At<P>, column: number): Placed<P> => ({
      part,
      step,
      column,
      slot: batch.slotOf(part.leaf),
    });
    const absences = each(
      ({ absences }) => absences,
      (one, column) => ({ ...one, column }),
    );
    this.#noLists = absences.filter(({ leaf }) => leaf.mostRepeated > 0);
    const numbers = each(({ numbers }) => numbers, placed);
    this.#numbers = numbers.filter(({ part }) => part.opcode === undefined);
    this.#plain = plainNumbers(numbers);
    this.#texts = each(({ texts }) => texts, placed).map(({ part, step, column, slot }) => ({
      enter: part.enter,
      values: part.values,
      deepest: part.leaf.deepest,
      step,
      column,
      slot,
    }));
    this.#lists = each(
      ({ lists }) => lists,
      ({ part, step }, column) => ({ part, step, column, slot: -1 }),
    );
    const single = absences.filter(({ leaf }) => leaf.mostRepeated === 0);
    const levels = single.map(({ leaf, level, column }) => ({ slot: batch.slotOf(leaf), level, column }));
    for (const { part, slot, column } of numbers) levels.push({ slot, level: part.leaf.deepest, column });
    for (const { slot, deepest: level, column } of this.#texts) levels.push({ slot, level, column });
    this.#levels = new Uint8Array(batch.stride);
    for (const { slot, level, column } of levels) {
      this.#levels[slot] = level;
      this.#slots.set(column, [...(this.#slots.get(column) ?? []), slot]);
    }
  }

  /**
   * Adds the row of the struct that was found last; false if not all values fit.
   *
   * @param place the first place of the row in the batch
   * @param row its position in the table
   */
  add(nodes: FieldTree, place: number, row: number): boolean {
    const { batch } = this;
    const { at } = this.shape;
    const { levels } = batch;
    levels.set(this.#levels, place);
    this.#addPlain(nodes, place);
    for (const { part, step, column, slot } of this.#numbers) {
      const value = part.read(nodes, at[step] ?? 0);
      if (part.values.put(value, batch.numbers, place + slot)) continue;
      this.#set(place + slot, levelWithout(part, value), column);
    }
    this.#addTexts(nodes, place);
    for (const { leaf, level } of this.#noLists) {
      leaf.begin(row);
      leaf.absent(level, 0);
    }
    for (const { part, step, column } of this.#lists) {
      for (const leaf of part.leaves) leaf.begin(row);
      if (!part.append(nodes, at[step] ?? 0, 0)) this.#misfits.add(column);
    }
    if (this.#misfits.size === 0) return this.#fits;
    this.#revert(place);
    return false;
  }

  /** Adds numbers that fit, whatever they are. */
  #addPlain(nodes: FieldTree, place: number): void {
    const { at } = this.shape;
    const { numbers } = this.batch;
    const { opcodes, steps, slots, wide } = this.#plain;
    for (let index = 0; index < opcodes.length; index++) {
      const node = at[steps[index] ?? 0] ?? 0;
      const { view, origin } = nodes.sourceOf(node);
      const start = origin + nodes.startOf(node);
      const opcode: Opcode = opcodes[index] ?? 0;
      const slot = place + (slots[index] ?? 0);
      if (wide[index] === 0) numbers[slot] = readNumber(opcode, view, start);
      else if (has64Bits(opcode)) {
        const isLittle = opcode === Opcode.U64LE || opcode === Opcode.I64LE;
        numbers[slot] = view.getInt32(isLittle ? start : start + 4, isLittle);
        numbers[slot + 1] = view.getInt32(isLittle ? start + 4 : start, isLittle);
      } else {
        const number = readNumber(opcode, view, start);
        numbers[slot] = number;
        // No number of 32 bits needs more than its sign there.
        numbers[slot + 1] = number < 0 ? -1 : 0;
      }
    }
  }

  #addTexts(nodes: FieldTree, place: number): void {
    const { at } = this.shape;
    const { numbers } = this.batch;
    const texts = this.#texts;
    for (let index = 0; index < texts.length; index++) {
      const text = texts[index];
      if (text === undefined) break;
      const level = text.enter(nodes, at[text.step] ?? 0);
      if (level === text.deepest) numbers[place + text.slot] = text.values.entered;
      else this.#set(place + text.slot, level, text.column);
    }
  }

  #set(place: number, level: number, column: number): void {
    if (level === MISFIT) this.#misfits.add(column);
    this.batch.levels[place] = Math.max(level, 0);
  }

  /** Makes the columns null in which a value does not fit. */
  #revert(place: number): void {
    const misfits = this.#misfits;
    const { levels } = this.batch;
    for (const { values, deepest, slot, column } of this.#texts) {
      if (misfits.has(column) && levels[place + slot] === deepest) values.giveUp();
    }
    for (const column of misfits) for (const slot of this.#slots.get(column) ?? []) levels[place + slot] = 0;
    for (const { part, column } of this.#lists) if (misfits.has(column)) for (const leaf of part.leaves) leaf.revert();
    for (const { leaf, column } of this.#noLists) if (misfits.has(column)) leaf.revert();
    misfits.clear();
  }
}

function plainNumbers(numbers: readonly Placed<NumberPart>[]): PlainNumbers {
  const plain = numbers.flatMap(({ part, step, slot }) => {
    const { opcode, leaf } = part;
    const isWide = leaf.values instanceof NumberValues && leaf.values.isWide;
    return opcode === undefined ? [] : [{ opcode, step, slot, isWide }];
  });
  return {
    opcodes: Uint8Array.from(plain, ({ opcode }) => opcode),
    steps: Int32Array.from(plain, ({ step }) => step),
    slots: Int32Array.from(plain, ({ slot }) => slot),
    wide: Uint8Array.from(plain, ({ isWide }) => Number(isWide)),
  };
}
