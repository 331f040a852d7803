/** Something about a key file that its owner should know. Never holds a value from the file. */
export interface KeyRemark {
  /** `error`: what the file says cannot be used. `note`: nothing is lost. */
  readonly severity: "error" | "note";
  /** The name of the key file without its folders. */
  readonly file: string;
  /** Counted from 1; absent where the remark is about the whole file. */
  readonly line?: number;
  /** One sentence in plain English, without a full stop. */
  readonly text: string;
}

/** How many remarks one key file may raise before the rest is only counted. */
const MOST_REMARKS = 20;

/** Collects the remarks about one key file. A file that is wrong in every line does not flood the terminal. */
export class Remarks {
  readonly #file: string;
  readonly #remarks: KeyRemark[] = [];
  #errors = 0;
  #dropped = 0;

  /** `file` is the name of the key file without its folders. */
  constructor(file: string) {
    this.#file = file;
  }

  /** Something in the file cannot be used. `line` counts from 1. */
  error(text: string, line?: number): void {
    this.#errors++;
    this.#add("error", text, line);
  }

  /** Something worth knowing; nothing is lost. `line` counts from 1. */
  note(text: string, line?: number): void {
    this.#add("note", text, line);
  }

  /** True once `error` was called. */
  get hasErrors(): boolean {
    return this.#errors > 0;
  }

  /** The remarks in the order in which they were raised. */
  list(): KeyRemark[] {
    if (this.#dropped === 0) return this.#remarks;
    const are = this.#dropped === 1 ? "remark is" : "remarks are";
    return [...this.#remarks, { severity: "note", file: this.#file, text: `${this.#dropped} more ${are} left out` }];
  }

  #add(severity: KeyRemark["severity"], text: string, line: number | undefined): void {
    if (this.#remarks.length === MOST_REMARKS) this.#dropped++;
    else this.#remarks.push({ severity, file: this.#file, ...(line === undefined ? {} : { line }), text });
  }
}
