/** Where the messages are declared: each one that these files export has its place in the tables. */

export * from "./account.js";
export * from "./ages.js";
export * from "./client.js";
export * from "./extensions.js";
export * from "./files.js";
export * from "./friends.js";
export * from "./game.js";
export * from "./global.js";
export * from "./log.js";
export * from "./player.js";
export * from "./publicAges.js";
export * from "./score.js";
export * from "./vault.js";
