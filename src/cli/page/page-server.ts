import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** The only address it listens on: nothing of it can be reached from other machines. */
const LOOPBACK = "127.0.0.1";
/** Bytes of the secret in the address. */
const TOKEN_LENGTH = 16;

/** Something that is served: its bytes from the beginning, each time it is asked for. */
export interface ServedContent {
  readonly type: string;
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

/**
 * Serves a page and the files that it opens, to whoever knows its address: the port is random, and so is a part of the
 * path. Other programs of this machine can reach the port, and pages of other sites can make a browser ask it; they get
 * nothing.
 */
export class PageServer {
  readonly #server: Server;
  readonly #token = randomBytes(TOKEN_LENGTH).toString("hex");

  /** @param contents by path, such as "file/0"; the page has an empty one */
  constructor(readonly contents: ReadonlyMap<string, ServedContent>) {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  /** Begins to serve; returns the address of the page. @param port 0 for a random one */
  async listen(port = 0): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, LOOPBACK, resolve);
    });
    return `http://${LOOPBACK}:${this.port}/${this.#token}/`;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Referrer-Policy", "no-referrer");
    response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    response.setHeader("X-Frame-Options", "DENY");
    const content = this.#contentFor(request);
    if (content === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader("Content-Type", content.type);
    response.writeHead(200);
    if (request.method === "HEAD") {
      response.end();
      return;
    }
    // Whoever asked may have gone; a file that cannot be read any further ends the answer, which the page notices.
    await pipeline(Readable.from(content.bytes(), { objectMode: false }), response).catch(() => response.destroy());
  }

  /** What is asked for; undefined for whoever does not know the address, or does not mean this machine by it. */
  #contentFor({ method, url = "", headers: { host = "" } }: IncomingMessage): ServedContent | undefined {
    if (method !== "GET" && method !== "HEAD") return undefined;
    // A name of somebody else's that leads here (DNS rebinding) is no name of this server.
    if (host !== `${LOOPBACK}:${this.port}` && host !== `localhost:${this.port}`) return undefined;
    const [, token = "", ...path] = url.split("/");
    return isSame(token, this.#token) ? this.contents.get(path.join("/")) : undefined;
  }
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
