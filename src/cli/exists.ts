import { access } from "node:fs/promises";

/** True if the path exists, as far as this program can see. */
export function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
