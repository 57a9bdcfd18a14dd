import type { Address, PublicClient } from 'viem'
import type { Log } from '../../../../core/log.ts'
import { type OpenUpto, readUptoFunds, type UptoFunds } from '../../evidence/upto-funds.ts'

/** A metered stream or tunnel that is being delivered. */
export interface RunningStream extends OpenUpto {
  /** The payment's id, for the log. */
  readonly id: string
  /** The signed maximum, in atomic units. */
  readonly amount: bigint
  /** The block in which the payer's funds were verified. */
  readonly block: bigint
  /** Ends the delivery, as if the caller had disconnected. */
  cut(): void
}

/**
 * The metered streams and tunnels that this process delivers. Their money moves at their end, which may be an
 * hour away: a payer could move it elsewhere in the first second and take the rest for nothing. So what their
 * payers hold is read again while they run, and the streams of a payer who can no longer pay for all of them
 * are cut.
 */
export class RunningStreams {
  readonly #client: PublicClient
  readonly #asset: Address
  readonly #log: Log
  readonly #running = new Set<RunningStream>()

  constructor(client: PublicClient, asset: Address, log: Log) {
    this.#client = client
    this.#asset = asset
    this.#log = log
  }

  /** @returns ends the watch; its payment is about to be charged. */
  watch(stream: RunningStream): () => void {
    this.#running.add(stream)
    return () => void this.#running.delete(stream)
  }

  /**
   * Reads the funds of all payers in one call to the node; makes no call while nothing runs. Rejects when the
   * node does not answer, and then cuts nothing.
   */
  async look(): Promise<void> {
    const streams = [...this.#running]
    if (streams.length === 0) return
    const { block, funds } = await readUptoFunds(this.#client, this.#asset, streams)
    const seen = streams.flatMap((stream, index) => {
      const shown = funds[index]
      return shown ? [{ stream, shown }] : []
    })
    for (const group of Map.groupBy(seen, ({ stream }) => stream.payer).values()) {
      // One of several nodes may be behind the block in which the payer was funded.
      if (group.every(({ stream }) => stream.block <= block) && !canPay(group)) this.#cut(group)
    }
  }

  #cut(group: readonly Watched[]): void {
    for (const { stream } of group) {
      // A stream that ended meanwhile is being charged.
      if (!this.#running.delete(stream)) continue
      this.#log.warn({ payment: stream.id }, 'a stream is cut, because its payer can no longer pay for it')
      stream.cut()
    }
  }
}

interface Watched {
  readonly stream: RunningStream
  readonly shown: UptoFunds
}

/** Whether a payer can pay the maximum of all its streams. */
function canPay(group: readonly Watched[]): boolean {
  if (group.some(({ shown }) => shown.isUsed)) return false
  const needed = group.reduce((sum, { stream }) => sum + stream.amount, 0n)
  return group.every(({ stream, shown }) => {
    // A permit sets the allowance anew for its own payment, whatever the others need.
    const neededOfAllowance = stream.permit ? stream.amount : needed
    return shown.balance >= needed && shown.movable >= neededOfAllowance
  })
}
