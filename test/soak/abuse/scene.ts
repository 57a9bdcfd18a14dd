import { setTimeout as pause } from 'node:timers/promises'
import type { Address } from 'viem'
import type { Random } from '../random.ts'
import type { Offers } from './callers/requests.ts'
import type { Stage } from './stage.ts'

/** When a wallet contract burns gas, in the order of the contract's own list. */
export const burnTimes = ['block', 'random', 'spent'] as const

/** An attack on the gateways. It is prepared first, so that signing takes no time from the gateways during the attack. */
export interface Scene {
  readonly name: string
  /** What the attacker does, in a sentence. */
  readonly attack: string
  /** Its payers are honest, and none of them has paid here before. */
  readonly isHonest?: true
  /** What the scene is judged by, besides memory and honest payers. */
  readonly measures: readonly Measure[]
  prepare(stage: Stage, numbers: Numbers): Promise<() => Promise<Attempt>>
}

export type Measure =
  /** At most one run for nothing by each wallet. */
  | 'unpaid runs'
  /** Gas for nothing at most three times the attacker's. */
  | 'gas'
  /** At most one call to the node for each bad payment. */
  | 'node calls'
  /** At most ten upstream requests for nothing at once, and one more each second. */
  | 'upstream calls'

/** The size of the attacks. */
export interface Numbers {
  readonly random: Random
  readonly offers: readonly [Offers, Offers]
  /** Payers that an attacker can name, because they have paid here. */
  readonly bystanders: readonly Address[]
  /** Fresh wallets that begin streams, one after the other, and streams of each. */
  readonly streamWallets: number
  readonly streams: number
  /** Fresh wallets that pay calls and drain themselves, and payments of each. */
  readonly drainWallets: number
  readonly drains: number
  /** Wallet contracts, and payments of each. */
  readonly burners: number
  readonly burns: number
  /** When the contracts burn, by turns. */
  readonly burnWhen: readonly (typeof burnTimes)[number][]
  /** `block`: in the second half of so many blocks. `random`: in one of so many blocks. */
  readonly burnBlocks: number
  readonly burnShare: number
  /** The gas that they leave. */
  readonly burnKeep: number
  /** Addresses that refused payments come from. */
  readonly addresses: number
  readonly connections: number
  readonly bodyBytes: number
  readonly repeats: number
  /** Refused payments a second, and for how long. */
  readonly floodRate: number
  readonly floodSeconds: number
  /** Payments that a balancer spreads over both gateways. */
  readonly uptoPayments: number
}

/** What an attacker has done, seen from the attacker's side. */
export interface Attempt {
  /** Payments that were sent. */
  readonly payments: number
  /** How often each answer came. */
  readonly answers: Readonly<Record<string, number>>
  /** The wallets that were to get work for nothing. */
  readonly wallets: readonly Taker[]
  /** Upstream requests that nothing was paid for. */
  readonly freeRequests?: number
  /** What went wrong that must never go wrong. */
  readonly faults: readonly string[]
}

/** A wallet and the work that was done for it. */
export interface Taker {
  readonly payer: string
  /** When it began, in milliseconds of `performance.now()`. */
  readonly at: number
  readonly runs: number
  /** The price of that work, in atomic units. */
  readonly worth: bigint
}

/** Waits until this holds, at most so long. A refused attack never begins, so the end of the wait is no error. */
export async function waitFor(holds: () => boolean | Promise<boolean>, mostMs: number): Promise<void> {
  const deadline = performance.now() + mostMs
  while (!(await holds()) && performance.now() < deadline) await pause(20)
}
