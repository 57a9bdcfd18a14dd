import type { Random } from '../random.ts'
import type { Tally } from './attacker/tally.ts'

/**
 * One attack on the gateway. Cases are data: a name, what the attacker does, and how. Each is prepared first, so that
 * signing and compressing take no time from the gateway during the attack.
 */
export interface Case {
  readonly name: string
  /** What the attacker does, in a sentence. */
  readonly attack: string
  prepare(ground: Ground): Promise<Attack>
}

/** Resolves when the attack is over, with what went wrong besides the time and the memory that it took. */
type Attack = () => Promise<readonly string[]>

/** What an attack works with. */
export interface Ground {
  /** The address of the gateway. */
  readonly url: string
  readonly farEnd: FarEndPlace
  /** The node of the chain. */
  readonly rpcUrl: string
  /** Opens the gateway's books. */
  readonly operatorToken: string
  readonly sizes: Sizes
  /**
   * The n-th local address of the attacker in this case: limits by address count from the beginning in each case. The
   * probes come from another one, as another caller does.
   */
  readonly addressOf: (n: number) => string
  /** Choices that the seed decides: bodies, bursts and sizes. */
  readonly random: Random
  /** Counts what is sent and what comes back. */
  readonly tally: Tally
}

/** Where the servers behind the gateway are, for a case that has to tell them something. */
export interface FarEndPlace {
  readonly url: string
  /** The server that writes replies byte by byte. */
  readonly rawUrl: string
  /** The name of the website that may be scanned, and its server. */
  readonly siteName: string
  readonly siteUrl: string
}

/** The sizes of the attacks. */
export interface Sizes {
  /** How long an attack that is repeated goes on. */
  readonly seconds: number
  /** Requests on one connection that do not wait for replies. */
  readonly pipelined: number
  readonly connections: number
  readonly bodyBytes: number
  /** Followers of one scan. */
  readonly followers: number
  /** Payments in a second. */
  readonly rate: number
  /** Streamed replies at the same time. */
  readonly streams: number
  readonly upgrades: number
  /** Connections that send nothing. */
  readonly idle: number
}

/** This number or up to a fifth more or less, so that another seed tries another size. */
export function vary(random: Random, number: number): number {
  return Math.max(1, Math.round(number * (0.8 + random.below(401) / 1_000)))
}
