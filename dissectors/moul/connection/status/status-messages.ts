import { array, type Codec, coded, decodeText, rest, struct, text } from "moul-dissect/schema";

const lineCodec: Codec<string> = {
  measure(view, start, limit) {
    for (let at = start; at < limit; at++) if (view.getUint8(at) === 0x0a) return at + 1 - start;
    return -(limit - start + 1);
  },
  read: (bytes, start, end) => decodeText(bytes.subarray(start, end)).replace(/\r?\n$/, ""),
  yields: "text",
  write: (value) => Buffer.from(`${value}\r\n`, "utf8"),
};

/** A line with its line break. */
const line = coded("line", lineCodec);

/** A request to the status server. Source: specification "The MOUL network protocol"; RFC 9112. */
export const StatusRequest = struct("StatusRequest", {
  requestLine: line.sensitiveHttp("token").inSummary(),
  headers: array(line, rest).sensitiveHttp("machine").doc("One line each; an empty one ends them."),
});

/** A request for another path: a `server.ini` may name any. */
export const StatusOtherRequest = struct("StatusRequest", {
  requestLine: line.sensitiveHttp("text").inSummary(),
  headers: array(line, rest).sensitiveHttp("machine").doc("One line each; an empty one ends them."),
});

/** The status server's reply, up to the text itself. Source: RFC 9112. */
export const StatusReply = struct("StatusReply", {
  statusLine: line.sensitiveHttp("text").inSummary(),
  headers: array(line, rest).sensitiveHttp("machine").doc("One line each; an empty one ends them."),
});

/** The text of an answer: what the server tells everybody. */
export const StatusText = struct("StatusText", { content: text(rest).inSummary() });

/**
 * What may be private: the content of a request, and of a reply if it is not certainly the text of a status or its end is
 * not known, as heads of further replies may follow in it; and heads that are too long.
 */
export const StatusContent = struct("StatusContent", { content: text(rest).sensitive("unknown").inSummary() });
