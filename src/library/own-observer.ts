import type { ConversationObserver, NetworkObserver } from "../session/observer.js";
import type { PlaintextListener } from "../session/stream/plaintext.js";
import type { OwnCode } from "./own-code.js";

/** Watches the network as a program's observer does: what that throws is no error of a dissector. */
export function ownNetwork(own: OwnCode, observer: NetworkObserver): NetworkObserver {
  const { comparesRepeats, carries } = observer;
  return {
    ...(comparesRepeats !== undefined && { comparesRepeats }),
    // It is called for every packet, but only where somebody wants to know.
    carries: carries && own.guard((...args) => carries.apply(observer, args), undefined),
    began: own.guard((...args) => observer.began?.(...args), undefined),
    checksum: own.guard((...args) => observer.checksum?.(...args), undefined),
    ended: own.guard((...args) => observer.ended?.(...args), undefined),
    opened: own.guard((conversation, origin) => {
      const watching = observer.opened?.(conversation, origin);
      return watching && ownConversation(own, watching);
    }, undefined),
  };
}

function ownConversation(own: OwnCode, observer: ConversationObserver): ConversationObserver {
  return {
    get plaintext() {
      return observer.plaintext && ownPlaintext(own, observer.plaintext);
    },
    bytes: own.guard((...args) => observer.bytes?.(...args), undefined),
    gap: own.guard((...args) => observer.gap?.(...args), undefined),
    datagram: own.guard((...args) => observer.datagram?.(...args), undefined),
    outOfOrder: own.guard((...args) => observer.outOfOrder?.(...args), undefined),
    conflict: own.guard((...args) => observer.conflict?.(...args), undefined),
    finished: own.guard((...args) => observer.finished?.(...args), undefined),
    flipped: own.guard((...args) => observer.flipped?.(...args), undefined),
    closed: own.guard((...args) => observer.closed?.(...args), undefined),
    recognised: own.guard((...args) => observer.recognised?.(...args), undefined),
    forgotten: own.guard((...args) => observer.forgotten?.(...args), undefined),
    dropped: own.guard((...args) => observer.dropped?.(...args), undefined),
    dissected: own.guard((...args) => observer.dissected?.(...args), undefined),
  };
}

function ownPlaintext(own: OwnCode, listener: PlaintextListener): PlaintextListener {
  return {
    bytes: own.guard((...args) => listener.bytes(...args), undefined),
    gap: own.guard((...args) => listener.gap(...args), undefined),
    datagram: own.guard((...args) => listener.datagram(...args), undefined),
    foreign: own.guard((...args) => listener.foreign?.(...args), undefined),
  };
}
