import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface, type Interface } from "node:readline";

/** Seconds that one request may take. */
const PATIENCE = 30;

/** Why sharkd has no answer. */
class SharkdError extends Error {}

/** What sharkd answers to a request that it cannot serve. */
class Refusal extends SharkdError {}

/** One packet, as far as it is needed here; of fields that occur several times, all values from the outside in. */
export interface SharkdFrame {
  readonly number: number;
  readonly fields: readonly (readonly string[])[];
}

/** A part of a followed stream. */
export interface SharkdPart {
  /** The packet that brought it, or that shows that it is missing. */
  readonly frame: number;
  readonly fromServer: boolean;
  readonly bytes: Buffer;
}

export interface SharkdStream {
  readonly client: { readonly address: string; readonly port: number };
  readonly server: { readonly address: string; readonly port: number };
  readonly parts: readonly SharkdPart[];
}

/**
 * tshark as a process that serves one capture after the other: starting tshark itself for each of thousands would take
 * most of the time. The protocol is JSON-RPC 2.0, one object on a line (https://wiki.wireshark.org/sharkd-JSON-RPC-Request-Syntax).
 */
export class Sharkd {
  #process: ChildProcessWithoutNullStreams | undefined;
  #lines: Interface | undefined;
  #requests = 0;

  /** Opens a capture; false if it is none that sharkd knows. */
  async load(path: string): Promise<boolean> {
    const opening = this.#request("load", { file: path });
    // A file that is damaged behind its first packets is opened, but without an answer: that to the next request tells.
    const [opened, status] = await Promise.allSettled([opening, this.#request("status", {})]);
    if (opened.status === "fulfilled") return true;
    if (status.status === "rejected" && !(opened.reason instanceof Refusal)) throw opened.reason;
    return !(opened.reason instanceof Refusal);
  }

  /** The packets of the capture, with fields. */
  async frames(fields: readonly string[]): Promise<SharkdFrame[]> {
    const columns = Object.fromEntries(fields.map((field, index) => [`column${index}`, `${field}:0`]));
    const result = await this.#request("frames", columns);
    if (!Array.isArray(result)) throw new SharkdError("no list of packets");
    return result.map((frame: unknown) => {
      const values = member(frame, "c");
      const texts = Array.isArray(values) ? values.map(String) : [];
      return {
        number: Number(member(frame, "num")),
        fields: texts.map((text) => (text === "" ? [] : text.split(","))),
      };
    });
  }

  /** Follows a stream; undefined if there is nothing to follow. */
  async follow(stream: number, transport: "tcp" | "udp" = "tcp"): Promise<SharkdStream | undefined> {
    const filter = `${transport}.stream eq ${stream}`;
    const result = await this.#request("follow", { follow: transport.toUpperCase(), filter });
    const payloads = member(result, "payloads");
    if (!Array.isArray(payloads)) return undefined;
    return {
      client: { address: String(member(result, "chost")), port: Number(member(result, "cport")) },
      server: { address: String(member(result, "shost")), port: Number(member(result, "sport")) },
      parts: payloads.map((part: unknown) => ({
        frame: Number(member(part, "n")),
        fromServer: member(part, "s") === 1,
        bytes: Buffer.from(String(member(part, "d")), "base64"),
      })),
    };
  }

  /** Ends the process. It starts again on the next request. */
  stop(): void {
    this.#process?.kill("SIGKILL");
    this.#process = undefined;
    this.#lines = undefined;
  }

  async #request(method: string, params: Readonly<Record<string, string>>): Promise<unknown> {
    const { stdin, lines } = this.#started();
    const id = ++this.#requests;
    const answer = new Promise<unknown>((resolve, reject) => {
      const finish = (settle: () => void): void => {
        clearTimeout(timer);
        lines.off("line", take);
        lines.off("close", gone);
        settle();
      };
      const fail = (message: string): void => {
        this.stop();
        finish(() => reject(new SharkdError(`no answer to ${method}: ${message}`)));
      };
      const gone = (): void => fail("it ended");
      const take = (line: string): void => {
        if (!line.startsWith("{")) return;
        const message: unknown = JSON.parse(line);
        const answered = Number(member(message, "id"));
        if (answered < id) return;
        const error = member(message, "error");
        if (answered > id) finish(() => reject(new SharkdError(`${method} was passed over`)));
        else if (error === undefined) finish(() => resolve(member(message, "result")));
        else finish(() => reject(new Refusal(String(member(error, "message")))));
      };
      const timer = setTimeout(() => fail(`${PATIENCE} s have passed`), 1000 * PATIENCE);
      lines.on("line", take);
      lines.on("close", gone);
    });
    stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return answer;
  }

  #started(): { stdin: ChildProcessWithoutNullStreams["stdin"]; lines: Interface } {
    if (this.#process === undefined || this.#lines === undefined) {
      // A folder that does not exist: nobody's own settings.
      const env = { ...process.env, WIRESHARK_CONFIG_DIR: "/nonexistent" };
      this.#process = spawn("sharkd", ["-"], { env });
      this.#lines = createInterface({ input: this.#process.stdout });
      this.#process.stderr.resume();
      this.#process.stdin.on("error", () => {});
      const lines = this.#lines;
      this.#process.on("error", () => lines.close());
    }
    return { stdin: this.#process.stdin, lines: this.#lines };
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
}
