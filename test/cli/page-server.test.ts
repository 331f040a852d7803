import { request } from "node:http";
import { PassThrough } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { PageServer } from "../../src/cli/page/page-server.js";
import { Spool } from "../../src/cli/page/spool.js";

const servers: PageServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

async function started(): Promise<string> {
  const server = new PageServer(
    new Map([
      ["", { type: "text/html", bytes: () => pieces("the page") }],
      ["file/0", { type: "application/octet-stream", bytes: () => pieces("some ", "bytes") }],
    ]),
  );
  servers.push(server);
  return server.listen();
}

/** Asks for an address; returns the status and the body. */
async function asked(address: string, options: { readonly host?: string; readonly method?: string } = {}) {
  const { host, method = "GET" } = options;
  return new Promise<{ readonly status: number; readonly body: string }>((resolve, reject) => {
    const headers = host === undefined ? {} : { host };
    const sent = request(address, { method, headers }, (response) => {
      let body = "";
      response.on("data", (chunk) => {
        body += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
    });
    sent.on("error", reject);
    sent.end();
  });
}

describe("the server of the page", () => {
  it("serves the page and its files under an address on this machine that cannot be guessed", async () => {
    const address = await started();
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\da-f]{32}\/$/);
    expect(await asked(address)).toEqual({ status: 200, body: "the page" });
    expect(await asked(`${address}file/0`)).toEqual({ status: 200, body: "some bytes" });
    expect((await asked(address, { host: `localhost:${new URL(address).port}` })).status).toBe(200);
    expect(await started()).not.toBe(address);
  });

  it("serves nothing to those who do not know the address", async () => {
    const address = await started();
    const { origin, pathname } = new URL(address);
    const wrong = [
      "/",
      "/file/0",
      `/${"0".repeat(32)}/`,
      `${pathname.slice(0, -2)}/`,
      `${pathname}file/1`,
      `${pathname}../`,
    ];
    for (const path of wrong) expect(await asked(origin + path), path).toEqual({ status: 404, body: "" });
  });

  it("serves nothing under somebody else's name, and takes nothing", async () => {
    const address = await started();
    const { port } = new URL(address);
    for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1", `127.0.0.1:${port}.evil.example`]) {
      expect((await asked(address, { host })).status, host).toBe(404);
    }
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      expect((await asked(address, { method })).status, method).toBe(404);
    }
  });

  it("does not listen on other addresses of this machine", async () => {
    const address = await started();
    const other = address.replace("127.0.0.1", "127.0.0.2");
    await expect(asked(other)).rejects.toThrow();
  });
});

describe("what an input brings", () => {
  it("is read from the beginning by everyone, also while it comes", async () => {
    const input = new PassThrough();
    const spool = await Spool.of(input);
    const early = gathered(spool.bytes());
    input.write("first ");
    await new Promise((resolve) => setTimeout(resolve, 10));
    const late = gathered(spool.bytes());
    input.end("second");
    expect(await early).toBe("first second");
    expect(await late).toBe("first second");
    expect(await gathered(spool.bytes())).toBe("first second");
    await spool.close();
  });
});

async function gathered(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of chunks) text += new TextDecoder().decode(chunk);
  return text;
}
