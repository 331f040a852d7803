import { trustDeclarations } from "../schema/words/trust.js";

trustDeclarations(false);
