/** The user's request makes no sense. The message has lines for a terminal; the run ends with exit code 1. */
export class UsageError extends Error {}
