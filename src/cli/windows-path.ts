import { win32 } from "node:path";
import { UsageError } from "./usage-error.js";

/**
 * Names that Windows reserves for devices, in any folder, and characters that it does not allow in names. Node.js would
 * create files with such names, which other programs cannot open or delete; with a colon, it would write to a hidden
 * stream of another file.
 */
const NO_NAME = /^(?:con|prn|aux|com\d|lpt\d)$|[<>:"|?*]/i;

/**
 * The path of a file to be written on Windows. NUL is the device, as for all programs there.
 *
 * @throws UsageError if no file can have this name
 */
export function windowsPath(path: string): string {
  const name = win32.basename(path);
  if (/^nul:?$/i.test(name)) return "\\\\.\\nul";
  if (NO_NAME.test(name)) throw new UsageError(`${path}: Windows does not allow this name for a file`);
  return path;
}
