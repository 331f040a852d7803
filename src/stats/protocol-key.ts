/** Under which a protocol is counted: the transport and, where it is known, the protocol: "tcp moul.auth". */
export function protocolKey(transport: string, protocol?: string): string {
  return protocol === undefined ? transport : `${transport} ${protocol}`;
}
