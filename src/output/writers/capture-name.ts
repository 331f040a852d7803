/** Which of several captures, each a recording of its own, a line is about. */
export interface CaptureName {
  readonly name: string;
  /** Its place among them, counted from 0. */
  readonly index: number;
}
