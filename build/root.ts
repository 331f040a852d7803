import { fileURLToPath } from "node:url";

/** The path of a file of the project, from the path below its root. */
export const atRoot = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
