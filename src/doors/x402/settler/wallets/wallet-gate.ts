import type { Address } from 'viem'
import type { Log } from '../../../../core/log.ts'
import type { WalletRecord } from '../../../ledger/wallets/wallet-records.ts'
import { PaymentsUnavailable } from '../../wire/facilitator.ts'
import type { Refusal } from '../../wire/types.ts'
import type { GasPrice } from '../gas-price.ts'
import type { SettlementRequest } from '../settlement-call.ts'
import type { Simulator } from '../simulation.ts'
import { type GasTerms, gasAlone, limitFor, mostGas, ordinaryGas } from './gas-limits.ts'
import { contracts, type PlaceLimit } from './places.ts'
import { isTrusted, placesOf, refuseWallet } from './wallet-rules.ts'

/** What the gateways on the same books know of wallet contracts. */
export interface WalletRecords {
  read(wallet: Address, kind: string): Promise<WalletRecord>
  /** A payment was mined at our cost and moved no money. */
  noteFailure(wallet: Address, kind: string, isHeavy: boolean): Promise<void>
  noteSettled(kind: string): Promise<void>
}

interface WalletGateOptions {
  /** Undefined: every wallet counts as one that has paid often. */
  readonly records: WalletRecords | undefined
  readonly simulator: Pick<Simulator, 'measure' | 'succeeds'>
  readonly gasPrice: Pick<GasPrice, 'current'>
  readonly terms: GasTerms
  readonly log: Log
}

/** What a trial of a payment that goes alone has shown. */
export type Trial =
  /** @property gas limit for its transaction. */
  | { readonly kind: 'fits'; readonly gas: bigint; readonly isHeavy: boolean; readonly places: PlaceLimit[] }
  /** The transfer would fail. */
  | { readonly kind: 'fails' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/** A plain wallet cannot burn gas, so at its verification nothing is measured. */
type PlainTrial = { readonly kind: 'fits'; readonly gas: bigint }

const plain: PlainTrial = { kind: 'fits', gas: gasAlone }

/** For how many payments of one plain wallet, and of one kind of new wallet contract, there are places. */
const placesOfPlainWallet = 10
const placesOfNewKind = 3

/**
 * Decides which wallet contracts we pay gas for, and how much of it. They run code of their own while we pay:
 * a contract that agrees to the trial and burns in the transaction would cost us gas for nothing, each time.
 */
export class WalletGate {
  readonly #options: WalletGateOptions

  constructor(options: WalletGateOptions) {
    this.#options = options
  }

  /**
   * Tries a payment out, as it would be sent. Rejects when the store or the node does not answer.
   * @param kind undefined for a plain wallet.
   */
  async check(request: SettlementRequest, kind: string | undefined): Promise<Trial | PlainTrial> {
    const { simulator } = this.#options
    const trial = kind === undefined ? plain : await this.measure(request, kind, 'latest')
    if (trial.kind !== 'fits') return trial
    return (await simulator.succeeds(request, 'latest', trial.gas)) ? trial : { kind: 'fails' }
  }

  /**
   * Finds out how much gas a payment takes, and whether it may take that much. Asks the store first, which
   * costs less than a trial. Rejects when the store or the node does not answer.
   * @param kind undefined for a plain wallet, which decides nothing about the gas.
   */
  async measure(
    request: SettlementRequest,
    kind: string | undefined,
    block: 'latest' | 'pending',
  ): Promise<Trial> {
    if (kind === undefined) return this.#measurePlain(request, block)
    const record = await this.#read(request.authorization.from, kind)
    const refusal = refuseWallet(record, false)
    if (refusal) return { kind: 'refused', refusal }
    const used = await this.#options.simulator.measure(request, block)
    return used === undefined ? { kind: 'fails' } : this.#weigh(request, kind, record, limitFor(used))
  }

  /** Looks again whether a wallet is refused, after others of its payments may have failed. */
  async refusal(wallet: Address, kind: string, isHeavy: boolean): Promise<Refusal | undefined> {
    return refuseWallet(await this.#read(wallet, kind), isHeavy)
  }

  /** Records that a payment of the wallet was mined at our cost and moved no money. Never rejects. */
  async noteFailure(wallet: Address, kind: string, isHeavy: boolean): Promise<void> {
    const { records, log } = this.#options
    try {
      await records?.noteFailure(wallet, kind, isHeavy)
      log.warn({ wallet, kind }, 'a wallet contract cost gas for nothing')
    } catch (error) {
      log.error({ err: error, wallet, kind }, 'the failure of a wallet contract could not be recorded')
    }
  }

  /** Never rejects. */
  async noteSettled(kind: string): Promise<void> {
    const { records, log } = this.#options
    try {
      await records?.noteSettled(kind)
    } catch (error) {
      log.warn({ err: error, kind }, 'a settled payment could not be counted for its kind of wallet')
    }
  }

  /** Both questions go to the node in one request. */
  async #measurePlain(request: SettlementRequest, block: 'latest' | 'pending'): Promise<Trial> {
    const { simulator } = this.#options
    const [used, succeeds] = await Promise.all([
      simulator.measure(request, block),
      simulator.succeeds(request, block, gasAlone),
    ])
    if (used === undefined || !succeeds) return { kind: 'fails' }
    const places = [{ key: payerKey(request), most: placesOfPlainWallet }]
    return { kind: 'fits', gas: limitFor(used), isHeavy: false, places }
  }

  async #weigh(request: SettlementRequest, kind: string, record: WalletRecord, gas: bigint): Promise<Trial> {
    const { gasPrice, terms } = this.#options
    const most = mostGas(request.authorization.value, await gasPrice.current(), terms)
    if (gas > most) return { kind: 'refused', refusal: tooHeavy(gas, most) }
    const isHeavy = gas > ordinaryGas && !isTrusted(record)
    const refusal = refuseWallet(record, isHeavy)
    if (refusal) return { kind: 'refused', refusal }
    const places = [contracts, { key: payerKey(request), most: placesOf(record) }]
    if (!isTrusted(record)) places.push({ key: kind, most: placesOfNewKind })
    if (isHeavy) places.push({ key: 'heavy', most: 1 })
    return { kind: 'fits', gas, isHeavy, places }
  }

  async #read(wallet: Address, kind: string): Promise<WalletRecord> {
    const { records } = this.#options
    if (!records) return oftenPaid
    try {
      return await records.read(wallet, kind)
    } catch (cause) {
      throw new PaymentsUnavailable('the books do not answer', { cause })
    }
  }
}

function payerKey({ authorization: { from } }: SettlementRequest): string {
  return `payer ${from.toLowerCase()}`
}

function tooHeavy(needed: bigint, most: bigint): Refusal {
  return {
    reason: 'smart_wallet_gas_limit',
    message:
      `the payment of this wallet contract needs a gas limit of ${needed}, and the most for this amount is ` +
      `${most}: pay from a wallet with a cheaper signature check`,
    gas: { needed, most },
  }
}

const oftenPaid: WalletRecord = {
  at: new Date(0),
  settled: 10,
  failures: 0,
  refusedUntil: undefined,
  kindRefusedUntil: undefined,
  heavyRefusedUntil: undefined,
}
