import { type CapturedPacket, pcapFile } from "./captures.js";
import { concat, ethernet, numbers, TcpTalk, text } from "./packets.js";

/** Writes the capture of the example dissector: two members of a Parley room, on an unusual port. */

const GREETING = concat(text("PRLY"), numbers([1, 1]));
const CALM = 0;
const MERRY = 1;
const CROSS = 2;

function message(type: number, ...fields: readonly Uint8Array[]): Uint8Array {
  const body = concat(numbers([1, type]), ...fields);
  return concat(numbers([2, body.length]), body);
}

function nick(name: string): Uint8Array {
  return concat(numbers([1, name.length]), text(name));
}

/** The bytes of the capture file: always the same. */
export function exampleCapture(): Uint8Array {
  const ada = new TcpTalk(["192.0.2.10", 50_000], ["192.0.2.1", 7777], [1000, 2000]);
  const bob = new TcpTalk(["192.0.2.11", 50_001], ["192.0.2.1", 7777], [3000, 4000]);
  const said = message(2, Uint8Array.of(2, MERRY), text("Hello, Ada!"));
  const packets = [
    ...ada.handshake(),
    ada.send(0, concat(GREETING, message(1, nick("Ada")))),
    ada.send(1, concat(GREETING, message(1, Uint8Array.of(1), nick("Ada")))),
    ...bob.handshake(),
    bob.send(0, GREETING),
    bob.send(0, message(1, nick("Bob"))),
    bob.send(1, concat(GREETING, message(1, Uint8Array.of(2), nick("Bob")))),
    ada.send(1, message(1, Uint8Array.of(2), nick("Bob"))),
    bob.send(0, message(2, Uint8Array.of(MERRY), text("Hello, Ada!"))),
    // A message in two segments.
    ada.send(1, said.subarray(0, 6)),
    ada.send(1, said.subarray(6)),
    bob.send(1, said),
    ada.send(0, message(2, Uint8Array.of(CALM), text("Hello yourself."))),
    bob.send(1, message(2, Uint8Array.of(1, CALM), text("Hello yourself."))),
    ada.send(1, message(2, Uint8Array.of(1, CROSS, 2), text("Not so loud!"))),
    ada.send(1, message(9, text("?"))),
    ada.fin(0),
    ada.fin(1),
    bob.fin(0),
    bob.fin(1),
  ];
  const start = 1_790_000_000_000_000_000n;
  return pcapFile(
    packets.map(
      (packet, index): CapturedPacket => ({ data: ethernet(packet), time: start + BigInt(index) * 10_000_000n }),
    ),
  );
}
