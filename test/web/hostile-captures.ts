import { rawPcapFile } from "../support/captures.js";
import { MoulTalk, packetsOf } from "../support/moul-session.js";
import { endsOf, Flag, tcpPacket } from "../support/packets.js";

/** What would do something if a page took it for anything but text. */
export const MARKUP =
  '<img src=x onerror="document.title=\'taken\'"><script>document.title="taken"</script>' +
  "</script></style></textarea><svg/onload=document.title='taken'>&lt;b&gt;\u202e{{7*7}}javascript:alert(1)";

function player(playerName: string) {
  return { transactionId: 1, playerVaultNodeId: 7, playerName, avatarShape: MARKUP, explorer: 1 };
}

/** Players and chat whose names and texts are markup. */
export function markup(): Uint8Array {
  const talk = new MoulTalk("auth", { encryption: "none" }).opens();
  talk.says("Auth2Cli_AcctPlayerInfo", player(MARKUP));
  talk.says("Cli2Auth_AcctSetPlayerRequest", { transactionId: 2, playerVaultNodeId: 7 });
  talk.says("Auth2Cli_AcctPlayerInfo", player(`"${MARKUP}'`));
  return rawPcapFile(packetsOf(talk));
}

/** A name of as many characters as a field can have, and a megabyte of bytes. */
export function large(): Uint8Array {
  const talk = new MoulTalk("auth", { encryption: "none" }).opens();
  talk.says("Auth2Cli_AcctPlayerInfo", player("Ж".repeat(32_000)));
  talk.says("Auth2Cli_FileDownloadChunk", {
    transactionId: 3,
    result: 0,
    totalFileSize: 1_000_000,
    chunkOffset: 0,
    chunkSize: 1_000_000,
    chunkData: new Uint8Array(1_000_000).fill(0x3c),
  });
  return rawPcapFile(packetsOf(talk));
}

/** Where the client's address and port are in an IPv4 packet. */
const ADDRESS = 12;
const CLIENT_PORT = 20;

/** So many conversations with one message each. Their checksums are wrong, which nobody looks at unless asked to. */
export function crowd(conversations: number): Uint8Array {
  const [first] = new MoulTalk("auth", { encryption: "none" }).opens().sent;
  const payload = first?.bytes ?? new Uint8Array(0);
  const ends = endsOf(["10.0.0.0", 1024], ["192.0.2.1", 14_617]);
  const header = rawPcapFile([]);
  const opening = tcpPacket(ends, { sequence: 1, flags: Flag.syn });
  const said = tcpPacket(ends, { sequence: 2, flags: Flag.ack | Flag.push, payload });
  const both = rawPcapFile([opening, said]).subarray(header.length);
  const record = both.length - opening.length - said.length;
  const places = [record / 2, record + opening.length];
  const capture = new Uint8Array(header.length + conversations * both.length);
  const view = new DataView(capture.buffer);
  capture.set(header);
  for (let index = 0; index < conversations; index++) {
    const start = header.length + index * both.length;
    capture.set(both, start);
    for (const place of places) {
      view.setUint32(start + place + ADDRESS, 0x0a000000 + index);
      view.setUint16(start + place + CLIENT_PORT, 1024 + (index % 60_000));
    }
  }
  return capture;
}
