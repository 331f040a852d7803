import { trustDeclarations } from "../schema/words/trust.js";

// What is imported until `built-in-end` are the built-in protocols.
trustDeclarations(true);
