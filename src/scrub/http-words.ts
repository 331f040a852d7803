/** What lines of HTTP may say that reveals nothing: whatever else they say may be about somebody. */

const NUMBER = "\\d{1,10}";
/** Types of media that servers and browsers name. */
const MEDIA =
  "(?:\\*|text|application|image|audio|video|font|multipart)/(?:\\*|plain|html|css|xml|json|javascript|xhtml\\+xml|octet-stream|x-www-form-urlencoded|webp|avif|apng|png|jpeg|gif|svg\\+xml|signed-exchange)";
const QUALITY = "(?:;[ \\t]*(?:q=[01](?:\\.\\d{1,3})?|v=b3))*";
const CHARSET = '(?:;[ \\t]*charset="?(?:utf-8|us-ascii|iso-8859-1|windows-1252)"?)?';
const CODING = "(?:gzip|x-gzip|deflate|br|zstd|compress|identity|chunked|trailers|\\*)";
const DATE =
  "(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \\d\\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \\d{4} \\d\\d:\\d\\d:\\d\\d GMT|0|-1)";
const CACHING = `(?:no-cache|no-store|no-transform|public|private|must-revalidate|proxy-revalidate|immutable|(?:max-age|s-maxage)=${NUMBER})`;

/** The values of headers that reveal nothing. Source: RFC 9110; RFC 9111, section 5; RFC 9112. */
const HARMLESS: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    accept: list(`${MEDIA}${QUALITY}`),
    "accept-encoding": list(`${CODING}${QUALITY}`),
    "accept-ranges": list("bytes|none"),
    age: list(NUMBER),
    "cache-control": list(CACHING),
    connection: list("close|keep-alive|upgrade|te"),
    "content-encoding": list(CODING),
    "content-length": list(NUMBER),
    "content-type": list(`${MEDIA}${CHARSET}`),
    date: new RegExp(`^${DATE}$`),
    expires: new RegExp(`^${DATE}$`),
    "keep-alive": list(`(?:timeout|max)=${NUMBER}`),
    "last-modified": new RegExp(`^${DATE}$`),
    pragma: list("no-cache"),
    "transfer-encoding": list(CODING),
    upgrade: list("h2c|websocket"),
    vary: list("\\*|(?:accept|accept-encoding|accept-language|cookie|origin|user-agent)"),
  }),
);

/** Names of further headers that reveal nothing, whatever their values do: that they are common is public. */
const COMMON_NAMES: ReadonlySet<string> = new Set([
  ...["accept-language", "allow", "alt-svc", "authorization", "content-disposition", "content-language"],
  ...["content-location", "content-range", "content-security-policy", "cookie", "dnt", "etag", "expect", "forwarded"],
  ...["from", "host", "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "link"],
  ...["location", "origin", "priority", "proxy-authenticate", "proxy-authorization", "range", "referer"],
  ...["referrer-policy", "retry-after", "sec-fetch-dest", "sec-fetch-mode", "sec-fetch-site", "sec-fetch-user"],
  ...["server", "set-cookie", "strict-transport-security", "te", "trailer", "upgrade-insecure-requests"],
  ...["user-agent", "via", "warning", "www-authenticate", "x-content-type-options", "x-forwarded-for"],
  ...["x-forwarded-host", "x-forwarded-proto", "x-frame-options", "x-powered-by", "x-real-ip", "x-request-id"],
]);

/** Programs by whose names dissectors and people tell clients and servers apart; the rest describes the machine. */
const PRODUCT =
  /^(?:UruClient|Dirtsand|BaseHTTP|SimpleHTTP|bzfls|Apache|httpd|nginx|lighttpd|Caddy|IIS|Mozilla|curl|Wget|Python|Prometheus)(?:\/[\d.]{1,12})?(?=\s|$)\s*/;

/** Reasons of replies as RFC 9110, section 15, names them. */
const REASONS: ReadonlySet<string> = new Set([
  ...["", "continue", "switching protocols", "ok", "created", "accepted", "no content", "partial content"],
  ...["moved permanently", "found", "see other", "not modified", "temporary redirect", "permanent redirect"],
  ...["bad request", "unauthorized", "forbidden", "not found", "method not allowed", "not acceptable"],
  ...["request timeout", "gone", "length required", "too many requests", "internal server error"],
  ...["not implemented", "bad gateway", "service unavailable", "gateway timeout", "http version not supported"],
]);

/** A list of values separated by commas, in upper or lower case. */
function list(value: string): RegExp {
  return new RegExp(`^(?:${value})(?:[ \\t]*,[ \\t]*(?:${value}))*[ \\t]*$`, "i");
}

/** True if a header, named in lower case, has a value that reveals nothing. */
export function isHarmless(name: string, value: string): boolean {
  return HARMLESS.get(name)?.test(value) === true;
}

/** True if the name of a header, in lower case, is one that says nothing about anybody. */
export function isCommonName(name: string): boolean {
  return HARMLESS.has(name) || COMMON_NAMES.has(name);
}

/** The name and version of a well-known program at the beginning of a text; empty if there is none. */
export function productIn(value: string): string {
  return PRODUCT.exec(value)?.[0] ?? "";
}

/** True for the reason of a reply that says no more than its number does. */
export function isKnownReason(reason: string): boolean {
  return REASONS.has(reason.toLowerCase());
}
