import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, systemClock } from '../core/clock.ts'
import { formatUsdc, parseUsdc } from '../core/money.ts'
import { PayError } from './pay-error.ts'

/** What a wallet may spend without being asked, in decimal USDC. */
export interface Limits {
  readonly perCall: string
  /** In a UTC day. */
  readonly perDay: string
}

/**
 * Keeps a wallet that pays by itself within its limits. An amount is reserved before anything is signed: a signature
 * is money once it has left, so counting afterwards would let calls that run at once spend more than the limit.
 *
 * Each reservation is a file named by its amount, in a folder for each day. It is written first and the folder summed
 * up after it, so that several programs with one folder never spend more than the limit together, though two at the
 * very end of it may both be refused.
 */
export class Budget {
  readonly #folder: string
  readonly #limits: Limits
  readonly #clock: Clock

  /** @param folder keeps the reservations, also for programs that start later in the day. */
  constructor(folder: string, limits: Limits, clock: Clock = systemClock) {
    this.#folder = folder
    this.#limits = limits
    this.#clock = clock
  }

  /**
   * Reserves a price.
   * @param price decimal USDC.
   * @returns gives it back; only for a payment that was not signed.
   * @throws PayError when it exceeds a limit; nothing is reserved then.
   */
  async reserve(price: string): Promise<() => Promise<void>> {
    const { perCall, perDay } = this.#limits
    const amount = parseUsdc(price)
    if (amount > parseUsdc(perCall)) {
      throw new PayError(
        `The call costs ${price} USDC, and ${perCall} USDC is the limit of a call. Nothing was signed.`,
      )
    }
    const day = join(this.#folder, new Date(this.#clock.now()).toISOString().slice(0, 10))
    await mkdir(day, { recursive: true, mode: 0o700 })
    const file = join(day, `${amount}-${randomUUID()}`)
    await writeFile(file, '', { flag: 'wx', mode: 0o600 })
    const spent = sumOf(await readdir(day))
    if (spent <= parseUsdc(perDay)) return () => rm(file, { force: true })
    await rm(file, { force: true })
    throw new PayError(
      `The call costs ${price} USDC. With the ${formatUsdc(spent - amount)} USDC that were spent today or are reserved by other calls, that exceeds the limit of ${perDay} USDC a day. Nothing was signed.`,
    )
  }
}

function sumOf(names: readonly string[]): bigint {
  return names.reduce((sum, name) => sum + BigInt(/^(\d+)-/.exec(name)?.[1] ?? 0), 0n)
}
