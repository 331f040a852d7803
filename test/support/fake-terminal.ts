import { Writable } from "node:stream";

/** A stream that claims to be a terminal, and remembers what was written to it. */
export class FakeTerminal extends Writable {
  readonly isTTY = true;
  text = "";

  constructor(readonly columns = 80) {
    super();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString("utf8");
    done();
  }
}
