/** Each step is a statement and an event; followers of a scan need no finer ones. */
const stepPercent = 10

/**
 * Writes the progress of a scan, one step after the other. Of several steps that are reported while one is
 * being written, only the newest is written.
 */
export class ProgressWriter {
  readonly #maxPercent: number
  readonly #write: (percent: number) => Promise<void>
  #newest = 0
  #written = 0
  #writing: Promise<void> | undefined

  /** @param maxPercent what a share of 1 is written as. */
  constructor(maxPercent: number, write: (percent: number) => Promise<void>) {
    this.#maxPercent = maxPercent
    this.#write = write
  }

  /** @param share that is done, 0 to 1. */
  report(share: number): void {
    const percent = Math.floor(Math.min(Math.max(share, 0), 1) * this.#maxPercent)
    this.#newest = Math.max(this.#newest, percent)
    this.#writing ??= this.#writeSteps().finally(() => {
      this.#writing = undefined
    })
    // `written` throws the error if it comes in time; otherwise the next statement of the scan meets the same
    // fault.
    this.#writing.catch(() => {})
  }

  /**
   * Waits until nothing is being written.
   * @throws the error of the last write.
   */
  async written(): Promise<void> {
    await this.#writing
  }

  async #writeSteps(): Promise<void> {
    while (this.#newest - this.#written >= stepPercent) {
      this.#written = this.#newest
      await this.#write(this.#written)
    }
  }
}
