import { win32 } from "node:path";
import { UsageError } from "../usage-error.js";

/**
 * Names that Windows reserves for devices, in any folder and with any extension, characters that it does not allow in
 * names, and a last dot or space, which it leaves out. Node.js would create files with such names, which other programs
 * cannot open or delete; with a colon, it would write to a hidden stream of another file.
 */
const NO_NAME = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³]) *(?:\.|$)|[<>:"|?*]|[. ]$/i;

/** A path without a folder on a drive, which is relative to the current folder of that drive. */
const ON_DRIVE = /^([a-z]:)([^\\/]+)$/i;

/**
 * The path of a file to be written on Windows. NUL is the device, as for all programs there.
 *
 * @throws UsageError if no file can have this name
 */
export function windowsPath(path: string): string {
  const name = win32.basename(path);
  if (/^nul:?$/i.test(name)) return "\\\\.\\nul";
  if (name === "." || name === "..") return path;
  if (NO_NAME.test(name)) throw new UsageError(`${path}: Windows does not allow this name for a file`);
  // Node.js takes "C:" for the folder at the top of the drive, where it would put the temporary file.
  return path.replace(ON_DRIVE, "$1.\\$2");
}
