/** What the user asked for makes no sense, in lines for a terminal. It ends the run with exit code 1. */
export class UsageError extends Error {}
