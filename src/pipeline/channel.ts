/**
 * A bounded channel: passes items from a producer to a consumer in batches. The producer waits until each batch is
 * taken, so that no more than one is held.
 */
export class Channel<T> {
  #ready: T[] = [];
  #hasEnded = false;
  #isRefused = false;
  #wakeConsumer = () => {};
  #wakeProducer = () => {};

  /** Adds an item to the next batch. */
  push(item: T): void {
    this.#ready.push(item);
  }

  /** For the producer: waits until the batch is taken; false if no more items are wanted. */
  async taken(): Promise<boolean> {
    if (this.#ready.length > 0 && !this.#isRefused) {
      await new Promise<void>((resolve) => {
        this.#wakeProducer = resolve;
        this.#wakeConsumer();
      });
    }
    return !this.#isRefused;
  }

  /** For the producer: the current batch is the last one. */
  end(): void {
    this.#hasEnded = true;
    this.#wakeConsumer();
  }

  /** For the consumer: the batches. A batch counts as taken when the next one is requested. */
  async *batches(): AsyncGenerator<readonly T[]> {
    while (!this.#hasEnded || this.#ready.length > 0) {
      if (this.#ready.length === 0) {
        await new Promise<void>((resolve) => {
          this.#wakeConsumer = resolve;
        });
      }
      const batch = this.#ready;
      this.#ready = [];
      yield batch;
      this.#wakeProducer();
    }
  }

  /** For the consumer: no more items are wanted. */
  refuse(): void {
    this.#isRefused = true;
    this.#wakeProducer();
  }
}
