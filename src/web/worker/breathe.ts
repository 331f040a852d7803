/** Milliseconds that work may go on before questions of the page are answered. */
const SLICE = 12;

/** Lets a long piece of work be interrupted by the page's questions. */
export class Breathing {
  #since = performance.now();

  /** True if it is time to let others in. */
  get isDue(): boolean {
    return performance.now() - this.#since > SLICE;
  }

  /** Waits until waiting messages have been handled. */
  async breathe(): Promise<void> {
    await new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(0);
    });
    this.#since = performance.now();
  }
}
