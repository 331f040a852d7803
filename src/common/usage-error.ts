/** What was asked for makes no sense. The message has lines for a terminal; a command ends with exit code 1. */
export class UsageError extends Error {}
