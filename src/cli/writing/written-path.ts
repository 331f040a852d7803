import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, sep } from "node:path";
import { statOf, systemPath } from "../../platform/node/system-path.js";
import { UsageError } from "../usage-error.js";
import { windowsPath } from "./windows-path.js";

/** How many links may follow each other: as many as Linux allows. */
const MOST_LINKS = 40;

/**
 * The path to write to, so that a link stays a link: where it leads if there is no file yet, as in a shell.
 *
 * @throws UsageError if no file can have this name, or there are too many links
 */
export async function writtenPath(output: string): Promise<string> {
  let path = platformPath(output);
  for (let links = 0; links <= MOST_LINKS; links++) {
    const facts = await statOf(path).catch(() => undefined);
    const link =
      facts === undefined
        ? await systemPath(path)
            .then((one) => readlink(one))
            .catch(() => undefined)
        : undefined;
    if (link === undefined) return path;
    // Joining them would resolve ".." without looking whether what is before it is a link, too.
    path = platformPath(isAbsolute(link) ? link : `${await realFolder(path)}${sep}${link}`);
  }
  throw new UsageError(`${output}: this link leads to too many others`);
}

/** The one path of a file that is reached by several through links, even if there is no file yet. */
export async function uniquePath(output: string): Promise<string> {
  const path = await writtenPath(output);
  return join(await realFolder(path), basename(path));
}

function platformPath(path: string): string {
  return process.platform === "win32" ? windowsPath(path) : path;
}

function realFolder(path: string): Promise<string> {
  return realPath(dirname(path));
}

/** The path without links. On some Windows drives, such as RAM disks, they cannot be resolved. */
export function realPath(path: string): Promise<string> {
  return systemPath(path)
    .then((one) => realpath(one))
    .catch(() => path);
}
