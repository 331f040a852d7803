import type { NetworkListener, TurningListener } from "./conversation.js";

/**
 * Passes all that a listener hears to an observer as well, which need not have all methods. The observer hears it
 * first, because bytes may make the listener exchange client and server, but it hears of the end last, when the
 * listener has drawn its conclusions.
 */
export function tee(listener: TurningListener, observer: Partial<NetworkListener>): TurningListener {
  // Conflicts are only looked for if someone has this method.
  const conflict = listener.conflict !== undefined || observer.conflict !== undefined;
  return {
    began(origin) {
      observer.began?.(origin);
      listener.began?.(origin);
    },
    opened(conversation, origin) {
      observer.opened?.(conversation, origin);
      listener.opened(conversation, origin);
    },
    bytes(conversation, direction, bytes, origin) {
      observer.bytes?.(conversation, direction, bytes, origin);
      listener.bytes(conversation, direction, bytes, origin);
    },
    gap(conversation, direction, length, reason, origin) {
      observer.gap?.(conversation, direction, length, reason, origin);
      listener.gap(conversation, direction, length, reason, origin);
    },
    datagram(conversation, direction, bytes, missing, origin) {
      observer.datagram?.(conversation, direction, bytes, missing, origin);
      listener.datagram(conversation, direction, bytes, missing, origin);
    },
    held(conversation, direction, length, origin) {
      observer.held?.(conversation, direction, length, origin);
      listener.held?.(conversation, direction, length, origin);
    },
    ...(conflict && {
      conflict(conversation, direction, differing, origin) {
        observer.conflict?.(conversation, direction, differing, origin);
        listener.conflict?.(conversation, direction, differing, origin);
      },
    }),
    checksum(note, origin) {
      observer.checksum?.(note, origin);
      listener.checksum?.(note, origin);
    },
    finished(conversation, direction) {
      observer.finished?.(conversation, direction);
      listener.finished(conversation, direction);
    },
    closed(conversation, reason, by) {
      listener.closed(conversation, reason, by);
      observer.closed?.(conversation, reason, by);
    },
    ended() {
      listener.ended?.();
      observer.ended?.();
    },
  };
}
