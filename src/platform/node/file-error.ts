const IN_USE = "another program has it open";

const REASONS = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file: a part of the path is not a folder",
  ENAMETOOLONG: "there is no such file: the name is too long",
  EISDIR: "it is a folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  // Only on Windows do programs lock each other out; elsewhere, a file that a container mounts cannot be replaced.
  EBUSY: process.platform === "win32" ? IN_USE : "the system is using it, perhaps as a mount point",
  EMFILE: "too many files are open",
  EILSEQ: "the names of several files read like this one, which is not UTF-8; rename it",
  EIO: "the disk or device failed",
  EROFS: "the file system is read-only",
  ENOSPC: "no space is left on the device",
  EDQUOT: "the quota is used up",
};

const READING: ReadonlyMap<unknown, string> = new Map(Object.entries(REASONS));

/** A missing file is created if its folder exists. Windows does not say why a file cannot be replaced. */
const WRITING: ReadonlyMap<unknown, string> = new Map(
  Object.entries({
    ...REASONS,
    ENOENT: "there is no such folder",
    ENOTDIR: "there is no such folder",
    ...(process.platform === "win32" && { EPERM: `permission denied, or ${IN_USE}` }),
  }),
);

/** Why a file cannot be read: the meaning of the system's error, worded to follow a colon. */
export function whyUnreadable(error: unknown): string {
  return reasonOf(error, READING);
}

/** The same for a file that cannot be written. */
export function whyUnwritable(error: unknown): string {
  return reasonOf(error, WRITING);
}

function reasonOf(error: unknown, reasons: ReadonlyMap<unknown, string>): string {
  if (!(error instanceof Error)) return String(error);
  return ("code" in error ? reasons.get(error.code) : undefined) ?? error.message;
}
