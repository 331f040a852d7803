import type { NetworkListener } from "./conversation.js";

/**
 * Passes what the network room brings to a second listener as well, which need not have all methods. The second one
 * hears of bytes first, because the first one may exchange client and server over them; of the end it hears last, when
 * the first one has drawn its conclusions.
 */
export function tee(first: NetworkListener, second: Partial<NetworkListener>): NetworkListener {
  // Conflicts are only looked for if a listener has this method.
  const conflict = first.conflict !== undefined || second.conflict !== undefined;
  return {
    opened(conversation, origin) {
      second.opened?.(conversation, origin);
      first.opened(conversation, origin);
    },
    bytes(conversation, direction, bytes, origin) {
      second.bytes?.(conversation, direction, bytes, origin);
      first.bytes(conversation, direction, bytes, origin);
    },
    gap(conversation, direction, length, reason, origin) {
      second.gap?.(conversation, direction, length, reason, origin);
      first.gap(conversation, direction, length, reason, origin);
    },
    datagram(conversation, direction, bytes, missing, origin) {
      second.datagram?.(conversation, direction, bytes, missing, origin);
      first.datagram(conversation, direction, bytes, missing, origin);
    },
    held(conversation, direction, length, origin) {
      second.held?.(conversation, direction, length, origin);
      first.held?.(conversation, direction, length, origin);
    },
    ...(conflict && {
      conflict(conversation, direction, differing, origin) {
        second.conflict?.(conversation, direction, differing, origin);
        first.conflict?.(conversation, direction, differing, origin);
      },
    }),
    checksum(note, origin) {
      second.checksum?.(note, origin);
      first.checksum?.(note, origin);
    },
    finished(conversation, direction) {
      second.finished?.(conversation, direction);
      first.finished(conversation, direction);
    },
    closed(conversation, reason) {
      first.closed(conversation, reason);
      second.closed?.(conversation, reason);
    },
  };
}
