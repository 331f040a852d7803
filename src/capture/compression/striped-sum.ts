/** A checksum that takes in bytes some at a time, a stripe, wherever the pieces are cut in which they come. */
export abstract class StripedSum {
  /** The bytes after the last whole stripe, at its beginning. */
  protected readonly stripe: Uint8Array;
  protected inStripe = 0;
  /** Number of all bytes so far. */
  protected length = 0;

  constructor(stripeLength: number) {
    this.stripe = new Uint8Array(stripeLength);
  }

  /** Takes in whole stripes. */
  protected abstract takeIn(bytes: Uint8Array, start: number, end: number): void;

  update(bytes: Uint8Array): this {
    const stripeLength = this.stripe.length;
    this.length += bytes.length;
    let at = 0;
    if (this.inStripe > 0) {
      at = Math.min(bytes.length, stripeLength - this.inStripe);
      this.stripe.set(bytes.subarray(0, at), this.inStripe);
      this.inStripe += at;
      if (this.inStripe < stripeLength) return this;
      this.takeIn(this.stripe, 0, stripeLength);
    }
    const whole = bytes.length - ((bytes.length - at) % stripeLength);
    this.takeIn(bytes, at, whole);
    this.stripe.set(bytes.subarray(whole));
    this.inStripe = bytes.length - whole;
    return this;
  }
}
