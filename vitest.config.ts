import { defineConfig } from "vitest/config";
import { ownEntries } from "./own-entries.js";

const alias = Object.entries(ownEntries).map(([name, replacement]) => ({ find: new RegExp(`^${name}$`), replacement }));

export default defineConfig({ resolve: { alias } });
