import { terminated, utf16 } from "../../../src/schema/index.js";

/** UTF-16 text and the zero that ends it. Source: auth_server "FileListReply"; plNetGameLib/plNglFile.cpp. */
export const zeroTerminated = terminated(utf16, { kind: "utf16z" });
