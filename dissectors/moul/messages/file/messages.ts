/** Where the messages are declared: each one that these files export has its place in the tables. */

export * from "./download.js";
export * from "./global.js";
export * from "./manifest.js";
