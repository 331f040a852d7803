/** One name in a path, with what it can stand for. */
export interface Step {
  readonly name: string;
  readonly isField: boolean;
  readonly isClass: boolean;
  readonly isDerived: boolean;
  /** True if what the preceding name stands for declares it, so that nothing further down is meant. */
  readonly isDirect: boolean;
  /** True below a type that is determined only while decoding, where a name may also be that of an SDL variable. */
  readonly isLoose: boolean;
}
