import { recordKind } from "./record-kinds.js";

/** Number of bytes at the start of a file that are enough to say what it is, if it is not a capture. */
export const STRANGER_LENGTH = 16 * 1024;
/** Those that are enough if it has a beginning of its own, or is text. */
const BEGINNING_LENGTH = 512;

/** What something that Wireshark reads is turned into a capture with. */
const EDITCAP = "convert it with editcap -F pcap";
const TEXT2PCAP = "convert it with text2pcap";
const ETL2PCAPNG = "convert it with etl2pcapng";
const unpack = (command: string) => `unpack it first, for example with ${command}`;

/**
 * How files of other formats begin, in hexadecimal, and what to call them. The formats of captures are those that
 * Wireshark reads and that have a beginning of their own (wiretap).
 */
const BINARY: readonly (readonly [start: RegExp, what: string])[] = [
  // The reader removes one layer of compression, so these are inside another one.
  [/^1f8b/, `gzip data inside other compressed data; ${unpack("gunzip")}`],
  [/^28b52ffd/, `Zstandard data inside other compressed data; ${unpack("unzstd")}`],
  [/^5.2a4d18/, `Zstandard or LZ4 data that begins with something else; ${unpack("unzstd or unlz4")}`],
  [/^04224d18/, `LZ4 data inside other compressed data; ${unpack("unlz4")}`],
  [/^02214c18/, `LZ4 data in the legacy format; ${unpack("unlz4")}`],
  [/^fd377a58/, `xz data; ${unpack("unxz")}`],
  [/^425a68/, `bzip2 data; ${unpack("bunzip2")}`],
  [/^5d0000..00/, `LZMA data; ${unpack("unlzma")}`],
  [/^4c5a4950/, `lzip data; ${unpack("lzip -d")}`],
  [/^894c5a4f/, `lzop data; ${unpack("lzop -d")}`],
  [/^1f(9d|a0)/, `data packed by compress; ${unpack("gunzip")}`],
  [/^ff060000734e61507059/, `Snappy data; ${unpack("snzip -d")}`],
  [/^504b(0304|0506|0708)/, `a ZIP archive; ${unpack("unzip")}`],
  [/^377abcaf/, `a 7-Zip archive; ${unpack("7z x")}`],
  [/^526172211a07/, `a RAR archive; ${unpack("unrar x")}`],
  [/^(..){257}7573746172/, `a tar archive; ${unpack("tar -xf")}`],
  [/^(303730373031|303730373032|303730373037|c771|71c7)/, `a cpio archive; ${unpack("cpio -i")}`],
  [/^213c617263683e0a/, `an ar archive; ${unpack("ar x")}`],
  [/^4d534346/, `a Windows cabinet (.cab), as netsh writes beside its .etl; ${unpack("cabextract or expand")}`],
  [/^(..){72}0[1-3]000[12]c0/, `a Windows event trace (.etl), as netsh and pktmon write it; ${ETL2PCAPNG}`],
  [/^736e6f6f70000000/, `a snoop capture; ${EDITCAP}`],
  [/^52545353/, `a Microsoft Network Monitor 1 capture; ${EDITCAP}`],
  [/^474d4255/, `a Microsoft Network Monitor 2 capture; ${EDITCAP}`],
  [/^6274736e6f6f7000/, `a btsnoop log of Bluetooth; ${EDITCAP}`],
  [/^6970747261636520/, `an AIX iptrace capture; ${EDITCAP}`],
  [/^5452006400|^00000001000000000007d000/, `an HP-UX nettl trace; ${EDITCAP}`],
  [/^5452534e4946462064617461/, `a Sniffer (DOS) capture; ${EDITCAP}`],
  [/^(584350|564c00)00/, `a Sniffer (Windows) or NetXRay capture; ${EDITCAP}`],
  [/^0[17]10....01/, `a Novell LANalyzer capture; ${EDITCAP}`],
  [/^42d2003412662288/, `a RADCOM capture; ${EDITCAP}`],
  [/^05564e46/, `a Visual Networks capture; ${EDITCAP}`],
  [/^aaaaaaaa/, `an InfoVista 5View capture; ${EDITCAP}`],
  [/^4f62736572766572506b744275666665/, `a Viavi Observer capture; ${EDITCAP}`],
  [/^7f766572/, `an OmniPeek capture; ${EDITCAP}`],
  [/^63707365/, `a Colasoft Capsa capture; ${EDITCAP}`],
  [/^0000020012050010/, `a Tektronix K12 capture (.rf5); ${EDITCAP}`],
  [/^5630323038/, `an Aethra capture; ${EDITCAP}`],
  [/^45796553444e/, `an EyeSDN trace; ${EDITCAP}`],
  [/^(1c0001a[bc]|a[bc]01001c)/, `an Ixia lcap capture; ${EDITCAP}`],
  [/^(..){0,64}4e6574[57]363616c6572/, `a NetScaler trace; ${EDITCAP}`],
  [/^2321727470706c617931/, `RTP packets of rtpdump; ${EDITCAP}`],
  [/^504d4c5f/, `a log of Process Monitor; ${EDITCAP}`],
  [/^4d5043534949/, `a Micropross mplog capture; ${EDITCAP}`],
  [/^54544c20/, `a TTX Logger trace (TTL); ${EDITCAP}`],
  [/^a1(2b3c4d|b234cd|e2cb12)|^(4d3c2b|cd34b2|12cbe2)a1/, "a pcap file of a variant that nobody documents"],
  [/^(c394c383c2b2c2a1|efbfbdc3b2efbfbd)/, "a pcap file that was converted like text; copy it as binary data"],
  [/^4c4f4747/, "a Vector log (BLF); Wireshark 4.0 and later convert it with editcap -F pcap"],
  [/^7f454c46/, "an ELF program"],
  [/^4d5a/, "a Windows program"],
  [/^89504e47/, "a PNG image"],
  [/^25504446/, "a PDF document"],
  [/^53514c69746520666f726d6174/, "an SQLite database"],
];

/** What texts are, by their first characters. */
const TEXTS: readonly (readonly [start: RegExp, what: string])[] = [
  [/^version https:\/\/git-lfs/, "a pointer of Git LFS in place of the file; fetch the file with git lfs pull"],
  [/^\+-{9}\+-{15}\+-{10}\+/, `a K12 text file; ${EDITCAP}`],
  [/^Session Transcript/, `a Catapult DCT2000 trace; ${EDITCAP}`],
  [/^#Format=4/, `a Daintree capture; ${EDITCAP}`],
  [/^\s*T O S H I B A /, `a trace of a Toshiba router; ${EDITCAP}`],
  [/^(.*\n){0,4}.*, +Length:\d+, Pro:\d+, Off:\d+, Pri:/, `a trace of a CoSine device; ${EDITCAP}`],
  [/^(.*\n){0,4}\d+\.\d+: \d+\([io]\)(:|\s+len=)/, `a NetScreen trace; ${EDITCAP}`],
  [/^(.*\n){0,4}(ETHER|PRI|WD|WDD|RECV|XMIT|WAN)\S*:.*task\b.*\boctets @/, `a trace of an Ascend router; ${EDITCAP}`],
  [/^\s*TCP(IP)?trace /, `a trace of a VMS system; ${EDITCAP}`],
  [/^ETHERWATCH /, `a trace of DBS Etherwatch; ${EDITCAP}`],
  [/^\s*COMMUNICATIONS TRACE /, `a trace of IBM iSeries; ${EDITCAP}`],
  [/^\(\d+\.\d+\) \w+ [\dA-F]+#/i, `a candump log; ${EDITCAP}`],
  [/^\*\*\*BUSMASTER /, `a log of BUSMASTER; ${EDITCAP}`],
  [/^;\$FILEVERSION=/, `a PEAK-System trace; ${EDITCAP}`],
  [/^-+ beginning of /, `a text log of Android (logcat); ${EDITCAP}`],
  [/^__(CURSOR|REALTIME_TIMESTAMP)=/, "a systemd journal export; it has no packets"],
  [/^\s*(<!doctype html|<html)/i, "a web page (HTML), perhaps in place of a download that failed"],
  [
    /^\s*<\?xml[^>]*>\s*(<[?!][^>]*>\s*)*<(pdml|psml)/,
    "what tshark prints (XML); give this program the capture itself",
  ],
  [/^\s*<\?xml/, "XML"],
  [/^\s*[[{]\s*("|\}|\]|[[{])/, "JSON, not a capture"],
  // Offset and bytes, as xxd, hexdump, od, tcpdump -x and Wireshark write them.
  [/^(.*\n)?\s*(0x)?0{3,}:?\s+([0-9a-f]{2}){1,8}\s/i, `a hex dump; ${TEXT2PCAP}`],
];

/** What files without a beginning of their own are, by their names. */
const NAMES: readonly (readonly [end: RegExp, what: string])[] = [
  [/\.etl$/i, `a Windows event trace (.etl) by its name; ${ETL2PCAPNG}`],
  [/\.(erf|ncfx?|pklg|pkt|enc|tr1|trc[01]?)(\.gz|\.zst|\.lz4)?$/i, `another kind of capture by its name; ${EDITCAP}`],
];

/**
 * Says what a file that is not a capture looks like.
 *
 * @param bytes its first `STRANGER_LENGTH` bytes
 * @param name its name
 */
export function describeStranger(bytes: Uint8Array, name: string): string {
  const start = bytes.subarray(0, BEGINNING_LENGTH);
  if (start.length === 0) return "the file is empty";
  const hex = Buffer.from(start).toString("hex");
  const records = recordKind(bytes.subarray(0, STRANGER_LENGTH), bytes.length < STRANGER_LENGTH);
  const what =
    find(BINARY, hex) ??
    textKind(start) ??
    (records === undefined ? undefined : `${records}; ${EDITCAP}`) ??
    find(NAMES, name);
  const found = what === undefined ? `it begins with the bytes ${hex.slice(0, 8)}` : `this is ${what}`;
  return `this is not a capture in pcap or pcapng format: ${found}`;
}

function find(kinds: readonly (readonly [pattern: RegExp, what: string])[], text: string): string | undefined {
  return kinds.find(([pattern]) => pattern.test(text))?.[1];
}

/** What kind of text the bytes are; undefined if they are none. */
function textKind(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe)
    return "UTF-16 text, as Windows PowerShell's > writes it; use -o to write captures";
  if (first === 0xfe && second === 0xff) return "UTF-16 text (big-endian)";
  const text = textOf(bytes);
  if (text === undefined) return undefined;
  const kind = find(TEXTS, text);
  const hasMark = first === 0xef && second === 0xbb && third === 0xbf;
  return kind ?? (hasMark ? "text with a byte order mark" : "text");
}

/** The bytes as UTF-8 without control characters, without a byte order mark; the last character may be cut. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return /[^\P{Cc}\t\n\f\r]/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
