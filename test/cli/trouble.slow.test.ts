import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { jsonLines, run } from "../support/command-line.js";
import { sample } from "../support/samples.js";
import { filesIn, temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
/** A file in a folder without key files. */
const file = filesIn(folder);

const session = () => file("session.pcap", readFileSync(sample("nagus-session.pcap")));
const keys = sample("keys/nagus/nagus_config.ini");

/** The messages in JSON lines. */
function messages(stdout: string): { name: string; status: string; protocol: string; notes: string[] }[] {
  return jsonLines(stdout).map(({ message, status, protocol, notes }) => {
    return { name: message, status, protocol, notes: notes.map((note: { text: string }) => note.text) };
  });
}

describe("keys", () => {
  it("that are not given leave each connection encrypted, as reported once per direction and on stderr", async () => {
    const { code, stdout, stderr } = await run([session(), "--json"]);
    expect(code).toBe(0);
    const found = messages(stdout);
    const encrypted = found.filter(({ status }) => status === "encrypted");
    expect(encrypted).toHaveLength(9 * 2);
    expect(new Set(found.filter(({ status }) => status !== "encrypted").map(({ name }) => name))).toEqual(
      new Set(["Cli2GateKeeper_Connect", "Cli2Auth_Connect", "Cli2Game_Connect", "Cli2Srv_Connect", "Srv2Cli_Encrypt"]),
    );
    expect(encrypted[0]?.notes[0]).toMatch(/no key of the gatekeeper server was given.*--keys/);
    expect(stderr).toMatch(
      /streams 2, 3, 6, 7, 8 \(moul\.auth\) are encrypted, and no key of the auth server was given/,
    );
    expect((await run([session(), "--fail-on", "undecrypted"])).code).toBe(3);
  });

  it("that do not fit are named, and no noise is printed", async () => {
    const { code, stdout, stderr } = await run([session(), "--json", "--keys", sample("keys/dirtsand/dirtsand.ini")]);
    expect(code).toBe(0);
    expect(messages(stdout).filter(({ status }) => status === "encrypted")).toHaveLength(18);
    expect(messages(stdout).every(({ status }) => status === "ok" || status === "encrypted")).toBe(true);
    expect(stderr).toMatch(/the key of the game server that was given does not fit \(.*dirtsand\.ini/);
  });

  it("in a file that is missing or is not a key file are an error, and the rest is printed", async () => {
    const missing = await run([session(), "--json", "--keys", join(folder, "none.ini")]);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toMatch(/none\.ini: the key file cannot be read \(there is no such file\)/);
    expect(messages(missing.stdout).length).toBeGreaterThan(30);
    const wrong = await run([session(), "--keys", file("shopping.txt", "milk\n")]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toMatch(/shopping\.txt: not a key file of a known format/);
  });

  it("never appear in any output", async () => {
    const secrets = [...readFileSync(keys, "latin1").matchAll(/key_a = (\S+)/g)].map(([, secret = ""]) => secret);
    expect(secrets).toHaveLength(3);
    const numbers = secrets.map((secret) => Buffer.from(secret, "base64").toString("hex"));
    for (const format of ["tree", "summary", "json", "json-tree"]) {
      const { stdout, stderr } = await run([sample("nagus-session.pcap"), "--format", format, "--keys", keys]);
      for (const secret of [...secrets, ...numbers])
        expect(stdout.includes(secret) || stderr.includes(secret)).toBe(false);
    }
  });
});

describe("captures", () => {
  it("that are cut in the middle of a packet are read up to that point", async () => {
    const whole = readFileSync(sample("nagus-plain.pcap"));
    const { code, stdout, stderr } = await run([file("cut.pcap", whole.subarray(0, 40_000)), "--json"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/cut\.pcap: .*(cut|ends).*\(frame \d+, offset \d+\)/);
    expect(messages(stdout).length).toBeGreaterThan(100);
  });

  it.each([
    ["empty", "", /empty/],
    ["text", "hello, this is no capture\n", /not a capture|text/],
    ["PNG", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), /not a capture|PNG|image/i],
  ])("that are not captures (%s) are reported as such", async (name, content, words) => {
    const { code, stdout, stderr } = await run([file(`${name}.pcap`, content)]);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toMatch(words);
    expect(stderr).toContain(`${name}.pcap`);
  });

  it("that are missing, or are folders, are reported as such", async () => {
    const missing = await run([join(folder, "nothing.pcap")]);
    expect(missing).toMatchObject({ code: 2, stdout: "" });
    expect(missing.stderr).toMatch(/nothing\.pcap: there is no such file/);
    const directory = await run([folder]);
    expect(directory.code).toBe(2);
    expect(directory.stderr).toMatch(/folder/);
  });

  it("beside a bad one are still dissected", async () => {
    const { code, stdout } = await run([join(folder, "nothing.pcap"), sample("nagus-plain.pcap"), "--json"]);
    expect(code).toBe(2);
    expect(messages(stdout).length).toBeGreaterThan(400);
  });
});

describe("usage", () => {
  it.each([
    [[], /missing required argument 'capture'/],
    [["--nonsense", "x.pcap"], /unknown option '--nonsense'/],
    [["--format", "xml", "x.pcap"], /xml/],
    [["--count", "0", "x.pcap"], /whole number/],
    [["--count", "1e3", "x.pcap"], /whole number/],
    [["follow", "x.pcap", "--stream", ""], /whole number/],
    [["--fail-on", "weather", "x.pcap"], /weather/],
  ])("errors exit with 1: %j", async (args, words) => {
    const { code, stdout, stderr } = await run(args);
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(words);
  });

  it.each([..."EGRTinrtvwxz"].map((letter) => `-${letter}`))(
    "of tshark's %s is answered with the equivalent option here",
    async (option) => {
      const { code, stderr } = await run([option, "x.pcap"]);
      expect(code).toBe(1);
      expect(stderr).toContain(`unknown option '${option}'\n(for tshark's ${option}: `);
      expect((await run(["stats", "x.pcap", `${option}x`])).stderr).toContain(`(for tshark's ${option}: `);
    },
  );

  it("of an unknown option is only reported as such", async () => {
    for (const option of ["-k", "-Z", "--r", "--constructor"]) {
      expect((await run([option, "x.pcap"])).stderr).not.toContain("tshark");
    }
  });

  it("is explained by help as well, even for help on help", async () => {
    const help = await run(["--help"]);
    expect(await run(["help"])).toEqual(help);
    for (const word of ["help", "-h", "--help"]) expect(await run(["help", word])).toEqual(help);
    const unknown = await run(["help", "-x"]);
    expect(unknown).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("-x is not a command; ") });
  });

  it.each([
    [["stats", "x.pcap", "-c", "5"], "moul-dissect stats --help"],
    [["streams", "x.pcap", "-Y", "x"], "moul-dissect streams --help"],
    [["--threads", "2", "streams", "x.pcap"], "moul-dissect streams --help"],
    [["follow", "x.pcap"], "moul-dissect follow --help"],
    [["follow", "x.pcap", "--stream", "x"], "moul-dissect follow --help"],
    [["keys", "x.pcap", "--embed", "a", "-o", "b"], "moul-dissect keys --help"],
    [["check"], "moul-dissect check --help"],
    [["completion", "tcsh"], "moul-dissect completion --help"],
    [["x.pcap", "--jsn"], "moul-dissect --help"],
  ])("names the help that lists what is possible: %j", async (args, help) => {
    const { code, stderr } = await run(args);
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`\\n\\(see ${help}\\)\\n$`));
  });

  it("is explained by --help, which exits with 0", async () => {
    const { code, stdout } = await run(["--help"]);
    expect(code).toBe(0);
    for (const word of ["--keys", "--json", "Exit codes", "MOULKEYLOGFILE", "decode"]) expect(stdout).toContain(word);
  });

  it("has --version say the version", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    expect((await run(["--version"])).stdout).toBe(`${version}\n`);
  });
});

describe("colours", () => {
  const sequence = "\u001b[";
  it.each([
    [["--color", "always"], {}, true],
    [["--color", "never"], { FORCE_COLOR: "1" }, false],
    [[], {}, false],
    [[], { FORCE_COLOR: "1" }, true],
    [[], { FORCE_COLOR: "1", NO_COLOR: "1" }, false],
  ])("%j %j", async (args, env, colored) => {
    const { stdout } = await run([sample("nagus-plain.pcap"), "-c", "3", ...args], env);
    expect(stdout.includes(sequence)).toBe(colored);
  });
});
