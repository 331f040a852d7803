import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";
import { MoulTalk, packetsOf, ping } from "./moul-session.js";

/** The payloads of an unencrypted connection to an auth server: two pings and their replies. */
const payloads = packetsOf(ping(ping(new MoulTalk("auth", { encryption: "none" }).opens(), 1), 2))
  .map((packet) => ({ isClients: (packet[20] ?? 0) * 256 + (packet[21] ?? 0) !== 14_617, bytes: packet.subarray(40) }))
  .filter(({ bytes }) => bytes.length > 0);

/** How many messages such a connection has. */
export const TALK_MESSAGES = payloads.length;

/** A port of this machine that nobody uses. */
export async function freePort(): Promise<number> {
  const server = await listening(0);
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("there is no port");
  return address.port;
}

async function listening(port: number): Promise<Server> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** Has such a connection over loopback, to a server at this port. */
export async function talkOver(port: number): Promise<void> {
  const server = await listening(port);
  const client = connect(port, "127.0.0.1");
  const [served] = await once(server, "connection");
  for (const { isClients, bytes } of payloads) {
    const [from, to] = isClients ? [client, served] : [served, client];
    const arrived = once(to, "data");
    from.write(bytes);
    await arrived;
  }
  client.end();
  served.end();
  await once(client, "close");
  server.close();
}
