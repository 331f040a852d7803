import { access } from "node:fs/promises";
import { systemPath } from "./system-path.js";

/** True if the path exists, as far as this program can see. */
export async function exists(path: string): Promise<boolean> {
  try {
    await access(await systemPath(path));
    return true;
  } catch {
    return false;
  }
}
