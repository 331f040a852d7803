import type { StateEvent } from "moul-dissect/dissector";
import type { FieldTree } from "moul-dissect/schema";
import { errorOf, type ReadMessage, type Reads } from "./message-reader.js";

/** Files that the file server and the auth server send. Source: plNetGameLib/plNglFile.cpp, plNglAuth.cpp. */
export const fileReaders: Readonly<Record<string, Reads>> = {
  Cli2File_FileDownloadRequest: (message, asked) => {
    asked.remember(message, { name: message.nodes.textIn(0, "fileName") ?? "" });
    return [];
  },
  Cli2Auth_FileDownloadRequest: (message, asked) => {
    asked.remember(message, { name: message.nodes.textIn(0, "filePath") ?? "" });
    return [];
  },
  File2Cli_FileDownloadReply: (message, asked) => part(message, asked.by(message)?.["name"], "fileData", undefined),
  Auth2Cli_FileDownloadChunk: (message, asked) =>
    part(message, asked.by(message)?.["name"], "chunkData", message.nodes.numberIn(0, "chunkOffset")),
  File2Cli_ManifestReply: ({ nodes }) => {
    const list = nodes.child(0, "manifest");
    if (list < 0) return [];
    const found: StateEvent[] = [];
    for (let entry = list + 1; entry < nodes.nextOf(list); entry = nodes.nextOf(entry)) {
      found.push({
        kind: "listed-file",
        name: nodes.textIn(entry, "fileName") ?? "",
        transferName: nodes.textIn(entry, "downloadName") ?? "",
        size: splitIn(nodes, entry, "fileSize"),
        transferSize: splitIn(nodes, entry, "downloadSize"),
        hash: nodes.textIn(entry, "fileHash") ?? "",
        transferHash: nodes.textIn(entry, "downloadHash") ?? "",
        isPacked: nodes.textIn(entry, "fileHash") !== nodes.textIn(entry, "downloadHash"),
      });
    }
    return found;
  },
};

/** A number of 32 bits in two halves. */
function splitIn(nodes: FieldTree, entry: number, field: string): number {
  const half = (name: string) => nodes.numberIn(entry, `${field}.${name}`) ?? 0;
  return half("highHalf") * 0x10000 + half("lowHalf");
}

function part(message: ReadMessage, name: unknown, field: string, offset: number | undefined): StateEvent[] {
  const { nodes, conversation } = message;
  const node = nodes.child(0, field);
  const answers = nodes.context?.answers?.number;
  return [
    {
      kind: "file",
      transfer: answers === undefined ? `${conversation.stream} ${transactionIn(nodes)}` : String(answers),
      name: typeof name === "string" && name !== "" ? name : `file of message ${message.number}`,
      size: nodes.numberIn(0, "totalFileSize") ?? 0,
      offset,
      bytes: node < 0 ? new Uint8Array(0) : nodes.bytes(node).slice(),
      error: errorOf(message),
    },
  ];
}

function transactionIn(nodes: FieldTree): number {
  return nodes.numberIn(0, "transactionId") ?? 0;
}
