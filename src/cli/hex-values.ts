/** A value that is written in hexadecimal digits: its bytes, or what is wrong with it. */
export type HexValue = { readonly line: number } & ({ readonly bytes: Uint8Array } | { readonly problem: string });

const NOT_HEXADECIMAL = "this is not hexadecimal: two digits a byte, blanks may be between them";
const DOES_NOT_FOLLOW = "the offset of this row is not that behind the row before it";
const ENDS_REPEATED = "no row behind * tells how many rows this dump has";

/** What a row of a dump begins with: an offset, behind it a colon, two blanks (or one, and bytes by themselves). */
const OFFSET = /^\s*(?:0x)?([0-9a-f]{4,12})(?:(?:\s*<[^<>]*>)?(:)\s+|\s{2,}|(?=(?:\s[0-9a-f]{2})+(?:\s|$)))/i;
/** What stands in front of the text of a row by `hexdump -C`, which has two blanks also in its middle. */
const IN_FRONT_OF_BARS = /^((?:\s{0,2}[0-9a-f]{2})+)\s+\|.*\|$/i;
/** Eight bytes, and up to eight behind two blanks: a stream that Wireshark follows. */
const HALVES = /^([0-9a-f]{2}(?: [0-9a-f]{2}){7}) {2}([0-9a-f]{2}(?: [0-9a-f]{2}){0,7})(?:\s{2}|\s*$)/i;
/** Characters that a row may have: of a line of megabytes, these expressions would need more stack than there is. */
const LONGEST_ROW = 65_536;

/** The offset behind the last row, which some programs write by itself. */
const END = /^[0-9a-f]{6,8}\s*$/i;

/** Bytes as Python shows them, in the logs of NAGUS. */
const PYTHON_BYTES = /^b(['"])/i;
const ESCAPE = /\\(?:x([0-9a-f]{2})|([tnr\\'"]))/gi;
const ESCAPED: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r" };

/** Bytes that the repeated rows of a dump may stand for: more than any message has. */
const MOST_REPEATED = 16 * 1024 * 1024;

/**
 * The values in some lines: one a line, or hex dumps of several rows with offsets, as xxd, hexdump -C, od, gdb, tcpdump
 * and Wireshark make them.
 *
 * @throws what the lines throw
 */
export async function* hexValues(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<HexValue> {
  let dump: Dump | undefined;
  let isBehindRow = false;
  let line = 0;
  for await (const text of lines) {
    line++;
    if (dump?.takes(text)) continue;
    isBehindRow ||= dump !== undefined;
    if (dump !== undefined) yield dump.value;
    const row = rowOf(text);
    const begins = row?.offset === 0 || (row?.hasColon === true && !isBehindRow);
    dump = row !== undefined && begins ? new Dump(line, row) : undefined;
    if (dump === undefined && row !== undefined && isBehindRow) yield { line, problem: DOES_NOT_FOLLOW };
    else {
      isBehindRow = false;
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

  /** Takes a line, if it belongs to it. */
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
  /** Only where there is one may the first offset be another one than 0: a debugger tells addresses. */
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

/** What stands in front of the row once more, as text. */
function withoutText(row: string): string {
  const [, inFrontOfBars] = IN_FRONT_OF_BARS.exec(row) ?? [];
  if (inFrontOfBars !== undefined) return inFrontOfBars;
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
 * What is between the quotes of bytes in Python; undefined if that is not what they are. One expression for all of it
 * would need more stack than there is for a line of some megabytes.
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
