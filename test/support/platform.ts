/**
 * False on Windows: it has no file modes, signals, `sh`, or pipes and devices with a path, links need a privilege, and
 * file names must not contain control characters.
 */
export const isPosix = process.platform !== "win32";

/** True if a file of mode 0 cannot be read: `root` may read everything. */
export const modesCount = isPosix && process.getuid?.() !== 0;
