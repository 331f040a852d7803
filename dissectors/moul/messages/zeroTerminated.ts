import { terminated, utf16 } from "moul-dissect/schema";

/** UTF-16 text and the zero that ends it. Source: auth_server "FileListReply"; plNetGameLib/plNglFile.cpp. */
export const zeroTerminated = terminated(utf16, { kind: "utf16z" });
