import { access } from "node:fs/promises";

/** True if there is something of this name that this program can see. */
export function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
