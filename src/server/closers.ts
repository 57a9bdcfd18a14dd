type Closer = () => Promise<void> | void

/**
 * Collects what must be closed while the gateway is built, so that a start that fails closes everything it
 * has opened. Everything is closed in reverse order, because later parts use earlier ones.
 */
export class Closers {
  readonly #closers: Closer[] = []

  add(...closers: readonly Closer[]): void {
    this.#closers.push(...closers)
  }

  async close(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await close()
  }
}
