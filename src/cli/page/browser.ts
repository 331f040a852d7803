import { spawn } from "node:child_process";

/** What opens an address in the user's browser, by system. */
function opener(address: string): readonly [string, readonly string[]] {
  if (process.platform === "win32") return ["rundll32", ["url.dll,FileProtocolHandler", address]];
  return process.platform === "darwin" ? ["open", [address]] : ["xdg-open", [address]];
}

/** Opens an address in the user's browser; returns whether there is something that can. */
export async function openInBrowser(address: string): Promise<boolean> {
  const [program, args] = opener(address);
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: "ignore", detached: true });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
