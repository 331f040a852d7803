/**
 * False on Windows: it has no file modes, signals, `sh`, nor pipes and devices with a path, links need a privilege, and
 * control characters may not stand in the names of files.
 */
export const isPosix = process.platform !== "win32";

/** True if a file of mode 0 cannot be read: `root` may read all. */
export const modesCount = isPosix && process.getuid?.() !== 0;
