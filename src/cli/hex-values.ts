/** A value written in hexadecimal digits: its bytes, or what is wrong with it. */
type HexValue = { readonly line: number } & ({ readonly bytes: Uint8Array } | { readonly problem: string });

const NOT_HEXADECIMAL = "this is not hexadecimal: expected two digits per byte, with or without blanks between bytes";
const DOES_NOT_FOLLOW = "the offset of this row is not where the row before it ends";
const ENDS_REPEATED = "no row after * shows how many rows this dump has";

/** The start of a row of a dump: an offset, then a colon, two blanks, or one blank before separate bytes. */
const OFFSET = /^\s*(?:0x)?([0-9a-f]{4,12})(?:(?:\s*<[^<>]*>)?(:)\s+|\s{2,}|(?=(?:\s[0-9a-f]{2})+(?:\s|$)))/i;
/** The part before the text in a row of `hexdump -C`, which also has two blanks in its middle. */
const BEFORE_BARS = /^((?:\s{0,2}[0-9a-f]{2})+)\s+\|.*\|$/i;
/** Eight bytes, two blanks and up to eight more bytes: a row of a stream that Wireshark follows. */
const HALVES = /^([0-9a-f]{2}(?: [0-9a-f]{2}){7}) {2}([0-9a-f]{2}(?: [0-9a-f]{2}){0,7})(?:\s{2}|\s*$)/i;
/** The most characters in a row: on a line of megabytes, these expressions would overflow the stack. */
const LONGEST_ROW = 65_536;

/** The offset after the last row, which some programs write on a line of its own. */
const END = /^[0-9a-f]{6,8}\s*$/i;

/** Bytes as Python prints them, in the logs of NAGUS. */
const PYTHON_BYTES = /^b(['"])/i;
const ESCAPE = /\\(?:x([0-9a-f]{2})|([tnr\\'"]))/gi;
const ESCAPED: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r" };

/** The most bytes that the repeated rows of a dump may stand for: more than any message has. */
const MOST_REPEATED = 16 * 1024 * 1024;

/**
 * Yields the values in lines: one per line, or hex dumps of several rows with offsets, as xxd, hexdump -C, od, gdb,
 * tcpdump and Wireshark print them.
 *
 * @throws what the lines throw
 */
export async function* hexValues(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<HexValue> {
  let dump: Dump | undefined;
  let isAfterRow = false;
  let line = 0;
  for await (const text of lines) {
    line++;
    if (dump?.takes(text)) continue;
    isAfterRow ||= dump !== undefined;
    if (dump !== undefined) yield dump.value;
    const row = rowOf(text);
    const begins = row?.offset === 0 || (row?.hasColon === true && !isAfterRow);
    dump = row !== undefined && begins ? new Dump(line, row) : undefined;
    if (dump === undefined && row !== undefined && isAfterRow) yield { line, problem: DOES_NOT_FOLLOW };
    else {
      isAfterRow = false;
      if (dump === undefined && text.trim() !== "") yield hexValue(line, bytesOf(text));
    }
  }
  if (dump !== undefined) yield dump.value;
}

/** A hex dump of which some rows have been seen. */
class Dump {
  readonly #rows: Uint8Array[] = [];
  /** The offset that the next row has to have. */
  #end: number;
  #isRepeated = false;
  #repeated = 0;
  #isWrong = false;

  constructor(
    readonly line: number,
    row: Row,
  ) {
    this.#end = row.offset;
    this.#add(row);
  }

  /** Adds a line if it belongs to the dump. */
  takes(text: string): boolean {
    if (text.trim() === "*") {
      this.#isRepeated = true;
      return true;
    }
    const row = END.test(text) ? { offset: Number.parseInt(text, 16), bytes: new Uint8Array(0) } : rowOf(text);
    if (row === undefined) return false;
    if (this.#isRepeated) this.#repeatUpTo(row.offset);
    if (row.offset !== this.#end) return false;
    this.#add(row);
    return true;
  }

  get value(): HexValue {
    if (this.#isWrong) return { line: this.line, problem: NOT_HEXADECIMAL };
    if (this.#isRepeated) return { line: this.line, problem: ENDS_REPEATED };
    return { line: this.line, bytes: Buffer.concat(this.#rows) };
  }

  #repeatUpTo(offset: number): void {
    const last = this.#rows.at(-1);
    const length = offset - this.#end;
    if (last === undefined || length < 0 || length % last.length !== 0) return;
    this.#repeated += length;
    if (this.#repeated > MOST_REPEATED) return;
    this.#rows.push(Buffer.alloc(length, last));
    this.#end = offset;
  }

  #add({ bytes }: Pick<Row, "bytes">): void {
    this.#isRepeated = false;
    if (bytes === undefined) this.#isWrong = true;
    else if (bytes.length > 0) this.#rows.push(bytes);
    this.#end += bytes?.length ?? 0;
  }
}

interface Row {
  readonly offset: number;
  /** Without a colon, the first offset must be 0; debuggers, which print a colon, show addresses. */
  readonly hasColon: boolean;
  /** Undefined if they are not hexadecimal. */
  readonly bytes: Uint8Array | undefined;
}

function rowOf(text: string): Row | undefined {
  const [start, offset = "", colon] = text.length > LONGEST_ROW ? [] : (OFFSET.exec(text) ?? []);
  if (start === undefined) return undefined;
  const hex = withoutText(text.slice(start.length).trimStart());
  return { offset: Number.parseInt(offset, 16), hasColon: colon !== undefined, bytes: bytesOf(hex) };
}

/** A row without the column that repeats its bytes as text. */
function withoutText(row: string): string {
  const [, beforeBars] = BEFORE_BARS.exec(row) ?? [];
  if (beforeBars !== undefined) return beforeBars;
  const [, first = "", second = ""] = HALVES.exec(row) ?? [];
  // Eight characters of text may look like three bytes.
  if (first !== "" && bytesOf(first)?.toString("latin1") !== second) return first + second;
  return row.split(/\s{2,}/, 1)[0] ?? "";
}

/** The bytes of a text without offsets; undefined if it is not hexadecimal. */
function bytesOf(text: string): Buffer | undefined {
  const literal = pythonLiteral(text.trim());
  if (literal !== undefined) return Buffer.from(literal.replace(ESCAPE, unescaped), "latin1");
  // A debugger writes 0x0 for a byte.
  const padded = text.replace(/(?:0x|\\x)([0-9a-f])(?![0-9a-f])/gi, "0$1");
  const digits = padded.replace(/0x|\\x|[\s:,{}-]/gi, "");
  return digits.length % 2 === 0 && !/[^0-9a-f]/i.test(digits) ? Buffer.from(digits, "hex") : undefined;
}

/**
 * The text between the quotes of a Python bytes literal; undefined if it is not one. A single expression for all of it
 * would overflow the stack on a line of several megabytes.
 */
function pythonLiteral(text: string): string | undefined {
  const [start, quote = ""] = PYTHON_BYTES.exec(text) ?? [];
  if (start === undefined || text.length === start.length || !text.endsWith(quote)) return undefined;
  const literal = text.slice(start.length, -1);
  const plain = literal.replace(ESCAPE, "");
  return /[^ -~]/.test(literal) || plain.includes("\\") || plain.includes(quote) ? undefined : literal;
}

function unescaped(_escape: string, code: string | undefined, character = ""): string {
  return code === undefined ? (ESCAPED[character] ?? character) : String.fromCharCode(Number.parseInt(code, 16));
}

function hexValue(line: number, bytes: Uint8Array | undefined): HexValue {
  return bytes === undefined ? { line, problem: NOT_HEXADECIMAL } : { line, bytes };
}
