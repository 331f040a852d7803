/**
 * Makes the picture of Wireshark's window with the plugin in `docs`: `npm run screenshots:wireshark`. It needs Wireshark,
 * Xvfb, xdotool and ImageMagick.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { projectPath } from "../support/project-path.js";
import { sample } from "../support/samples.js";

const [WIDTH, HEIGHT] = ["1400", "860"];
/** A chat message, and how far its text is from the last line of its tree. */
const [FRAME, UP] = ["712", 10];
/** Where the message is in the tree of a packet, which is not yet open. */
const MESSAGE = ["300", "543"];
/** How long the window may take to open, and to draw, in milliseconds. */
const [LONGEST, DRAWN] = [60_000, 1500];

const folder = mkdtempSync(join(tmpdir(), "moul-dissect-window-"));
const program = projectPath("dist/bin/moul-dissect.js");
const [plugin, log] = [join(folder, "moul-dissect.lua"), join(folder, "session.keylog")];
execFileSync(process.execPath, [program, "wireshark", "-o", plugin]);
const keys = ["--keys", sample("dirtsand-session.keys")];
execFileSync(process.execPath, [program, "keys", sample("dirtsand-session.pcap"), ...keys, "-o", log], {
  stdio: "ignore",
});

// The server chooses a number that is free, and says which.
const screen = ["-screen", "0", `${WIDTH}x${HEIGHT}x24`];
const server = spawn("Xvfb", ["-displayfd", "1", ...screen], { stdio: ["ignore", "pipe", "ignore"] });
const [display] = await once(createInterface(server.stdout), "line");
// Settings of whoever makes the picture would show in it.
const env = { ...process.env, DISPLAY: `:${String(display)}`, HOME: folder, XDG_CONFIG_HOME: folder };
const capture = ["-r", sample("dirtsand-session.pcap"), "-Y", "moul.pfKIMsg", "-g", FRAME];
const options = ["-X", `lua_script:${plugin}`, "-o", `moul.keylog:${log}`, ...capture];
const wireshark = spawn("wireshark", options, { env, stdio: "ignore" });

const xdotool = (...words: string[]) =>
  execFileSync("xdotool", words, { env, encoding: "utf8", timeout: LONGEST }).trim();
try {
  // The window is called after the capture once that is open.
  const window = xdotool("search", "--sync", "--onlyvisible", "--name", "dirtsand-session").split("\n").at(-1) ?? "";
  xdotool("windowmove", window, "0", "0", "windowsize", window, WIDTH, HEIGHT);
  await pause(2 * DRAWN);
  xdotool("mousemove", ...MESSAGE, "click", "1", "key", "shift+Right");
  await pause(DRAWN);
  xdotool("key", "End", ...Array<string>(UP).fill("Up"));
  await pause(DRAWN);
  execFileSync("import", ["-window", "root", projectPath("docs/wireshark.png")], { env });
} finally {
  const ended = [wireshark, server].map((child) => once(child, "exit"));
  wireshark.kill();
  server.kill();
  await Promise.all(ended);
  rmSync(folder, { recursive: true });
}
