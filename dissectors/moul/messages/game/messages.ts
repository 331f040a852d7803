/** Where the messages are declared: each one that these files export has its place in the tables. */

export * from "./age.js";
export * from "./game.js";
export * from "./gameMgrMsg.js";
export * from "./global.js";
