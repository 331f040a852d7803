import { copyOf } from "../common/copy-of.js";
import { messageTitle } from "../dissect/message-title.js";
import { PacketNames } from "../export/packet-names.js";
import { PacketOrder } from "../export/packet-order.js";
import { PlaintextCapture } from "../export/plaintext-capture.js";
import { defaultLimits } from "../limits.js";
import { LeftOut } from "../remarks/left-out.js";
import { passMessages } from "./dissect.js";
import type { CaptureInputs } from "./inputs.js";
import type { KeyOptions } from "./keys.js";
import { APPLICATION } from "./rewriting.js";
import { type Run, yielding } from "./run.js";

/**
 * Yields the plaintext of the recognised conversations in captures, as a capture (pcapng). Data that cannot be decrypted
 * is in it as it was captured; the end of the run says what is left out.
 *
 * @throws CaptureError as `dissect` does
 */
export function decrypt(captures: CaptureInputs, options: KeyOptions = {}): Run<Uint8Array> {
  return yielding(async (give, pause, hooks) => {
    const capture = new PlaintextCapture((bytes) => give(copyOf(bytes)), {
      application: APPLICATION,
      comment: "Packets rebuilt around the decrypted data.",
    });
    const names = new PacketNames();
    const order = new PacketOrder(capture, names, { ...defaultLimits, ...options.limits });
    const leftOut = new LeftOut();
    const end = await passMessages(
      captures,
      {
        ...options,
        ...hooks,
        // Plaintext does not wait for that of other conversations.
        order: "conversation",
        network: { opened: (conversation) => order.opened(conversation, leftOut.opened(conversation)) },
        skims: true,
      },
      (message) => names.see(message, messageTitle(message)),
      (place) => {
        if (capture.packets > 0) capture.flush();
        return pause(place);
      },
    );
    capture.flush();
    return { ...end, remarks: [...end.remarks, ...leftOut.remarks(end.packets)] };
  }, options);
}
