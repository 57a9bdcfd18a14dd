import { type Address, concat, type Hex, isAddressEqual, type PublicClient } from 'viem'
import type { Network } from '../../../platform/chain/networks.ts'
import {
  findAuthorizationState,
  inclusionOf,
  outcomeOf,
  provesPayment,
} from '../evidence/authorization-state.ts'
import { readFunds } from '../evidence/funds.ts'
import { createReadPayerSignature, type ReadPayerSignature } from '../evidence/signature.ts'
import type { ExtensionResponses } from '../wire/extension-responses.ts'
import type { Extensions } from '../wire/extensions.ts'
import {
  type Facilitator,
  PaymentsUnavailable,
  type Settlement,
  type Settlers,
  type Verdict,
} from '../wire/facilitator.ts'
import type { ResourceDescription } from '../wire/resource.ts'
import type { Payment, Refusal, Requirement } from '../wire/types.ts'
import { type Authorize, createFacilitatorHttp, type FacilitatorHttp } from './http.ts'
import { accountsOf, readSupported, uptoAccountOf } from './supported.ts'

export interface RemoteFacilitatorOptions {
  /** Its name in logs; the address when unset. */
  readonly id?: string
  /** Without a trailing slash. */
  readonly url: string
  readonly timeoutMs: number
  readonly authorize?: Authorize
  /** Sent with each payment. */
  readonly extensions?: Extensions | undefined
  /** What is paid for, where the facilitator shall list it. */
  readonly resource?: ResourceDescription | undefined
  /** Told what the facilitator made of the extensions of a payment. */
  readonly noteExtensions?: ((told: ExtensionResponses) => void) | undefined
  readonly client: PublicClient
  readonly network: Network
}

/**
 * Verifies and settles through an x402 facilitator over HTTP. A settlement that it reports counts only when
 * the chain shows it. While a transfer may still come the outcome is `unknown`, so that no payer is asked to
 * pay twice.
 */
export class RemoteFacilitator implements Facilitator {
  readonly id: string
  readonly #http: FacilitatorHttp
  readonly #client: PublicClient
  readonly #network: Network
  readonly #timeoutMs: number
  readonly #noteExtensions: RemoteFacilitatorOptions['noteExtensions']
  readonly #readPayerSignature: ReadPayerSignature
  /** The account that settles `upto`. */
  #account: Address | undefined
  /** All accounts that it names. */
  #accounts: readonly Address[] = []

  constructor({
    url,
    id = url,
    timeoutMs,
    authorize,
    extensions,
    resource,
    noteExtensions,
    client,
    network,
  }: RemoteFacilitatorOptions) {
    this.id = id
    this.#http = createFacilitatorHttp({ url, timeoutMs, authorize, extensions, resource })
    this.#client = client
    this.#network = network
    this.#timeoutMs = timeoutMs
    this.#noteExtensions = noteExtensions
    this.#readPayerSignature = createReadPayerSignature(network)
  }

  readonly uptoAddress: Facilitator['uptoAddress'] = () => this.#account

  async verify(given: Payment, requirement: Requirement): Promise<Verdict> {
    const payment = this.#withLongSignature(given)
    // We read the balance ourselves: the facilitator does not know which other calls of this payer are open
    // here.
    const [refusal, funds] = await Promise.allSettled([
      this.#whyRefused(payment, requirement),
      readFunds(this.#client, requirement.asset, payment.authorization.from),
    ])
    if (refusal.status === 'rejected') {
      throw new PaymentsUnavailable('the facilitator does not answer', { cause: refusal.reason })
    }
    if (refusal.value) return { isValid: false, refusal: refusal.value }
    if (funds.status === 'rejected') {
      throw new PaymentsUnavailable('the chain does not answer', { cause: funds.reason })
    }
    return { isValid: true, funds: funds.value }
  }

  async settle(given: Payment, requirement: Requirement, attempt: 'first' | 'again'): Promise<Settlement> {
    const payment = this.#withLongSignature(given)
    const reported = await this.#settleThere(payment, requirement)
    if (reported.outcome === 'settled') return reported
    // After a lost answer or a refusal the money may still have moved: the facilitator, or another holder of
    // the authorization, may have sent the transaction.
    try {
      const state = await findAuthorizationState(this.#client, requirement.asset, payment.authorization)
      if (state.kind !== 'unused') return outcomeOf(state, BigInt(requirement.amount))
    } catch (cause) {
      return reported.outcome === 'unknown' ? reported : { outcome: 'unknown', cause }
    }
    return reported.outcome === 'failed' && attempt === 'again'
      ? unknownBecause(`refused (${reported.refusal.reason}) after an earlier attempt`)
      : reported
  }

  async checkReady(): Promise<void> {
    const supported = await readSupported(this.#http, this.#network)
    this.#account = uptoAccountOf(supported, this.#network, this.#account)
    this.#accounts = accountsOf(supported, this.#network)
  }

  maySettleFrom(account: Address): boolean {
    return this.#account !== undefined && isAddressEqual(this.#account, account)
  }

  settlers(): readonly Settlers[] {
    return [{ id: this.id, accounts: this.#accounts.map((address) => ({ address, gas: undefined })) }]
  }

  /** @returns undefined when the facilitator finds nothing wrong with the payment. */
  async #whyRefused(payment: Payment, requirement: Requirement): Promise<Refusal | undefined> {
    const { status, body, extensions } = await this.#http.verify(payment, requirement)
    if (extensions) this.#noteExtensions?.(extensions)
    // A facilitator that fails says nothing about the payment, whatever its body looks like.
    if (status >= 500) throw new Error(`the facilitator’s verify answers ${status}`)
    if (isOk(status) && body.isValid) return undefined
    return {
      reason: body.invalidReason ?? 'unexpected_verify_error',
      message: body.invalidMessage ?? 'the facilitator refuses the payment',
    }
  }

  /** What the facilitator reports; `settled` only when the chain shows it. */
  async #settleThere(payment: Payment, requirement: Requirement): Promise<Settlement> {
    try {
      const { status, body, extensions } = await this.#http.settle(payment, requirement)
      if (extensions) this.#noteExtensions?.(extensions)
      const { errorReason: reason = 'unexpected_settle_error', errorMessage } = body
      const transaction = transactionHash(body.transaction)
      if (isOk(status) && body.success) return await this.#confirm(transaction, payment, requirement)
      // Even a 500 that says `success: false` may come after the broadcast.
      return status >= 500 || body.success || transaction || !refusedBeforeBroadcast.has(reason)
        ? unknownBecause(`the facilitator’s settle answers ${status}: ${reason}`, transaction)
        : {
            outcome: 'failed',
            refusal: { reason, message: errorMessage ?? 'the facilitator refuses to settle' },
          }
    } catch (cause) {
      return { outcome: 'unknown', cause }
    }
  }

  async #confirm(
    transaction: Hex | undefined,
    payment: Payment,
    requirement: Requirement,
  ): Promise<Settlement> {
    if (!transaction) return unknownBecause('the facilitator names no transaction')
    const client = this.#client
    const receipt = await client.waitForTransactionReceipt({ hash: transaction, timeout: this.#timeoutMs })
    const { asset, amount } = requirement
    return (await provesPayment(client, receipt, asset, payment.authorization, BigInt(amount)))
      ? { outcome: 'settled', ...inclusionOf(receipt) }
      : unknownBecause('the transaction that the facilitator names does not show the transfer', transaction)
  }

  /**
   * The payment with a plain wallet's signature in 65 bytes, the only one of its forms that facilitators
   * read. A wallet contract's signature, which only the contract can read, is passed on unchanged.
   */
  #withLongSignature(payment: Payment): Payment {
    const wallet = this.#readPayerSignature(payment)
    if (!wallet) return payment
    return { ...payment, signature: concat([wallet.r, wallet.s, wallet.v === 27 ? '0x1b' : '0x1c']) }
  }
}

function isOk(status: number): boolean {
  return status >= 200 && status < 300
}

function unknownBecause(why: string, transaction?: Hex): Settlement {
  return { outcome: 'unknown', ...(transaction ? { transaction } : {}), cause: new Error(why) }
}

function transactionHash(text: string | null | undefined): Hex | undefined {
  return text && /^0x[0-9a-fA-F]{64}$/.test(text) ? `0x${text.slice(2)}` : undefined
}

/**
 * Reasons that a facilitator can give only before it sends a transaction: the reference implementation's and
 * Coinbase's. After any other reason the money may be on its way, and a payer who is asked again would pay
 * twice.
 */
const refusedBeforeBroadcast: ReadonlySet<string> = new Set([
  'insufficient_funds',
  'invalid_exact_evm_insufficient_balance',
  'invalid_exact_evm_signature',
  'invalid_exact_evm_payload_signature',
  'invalid_exact_evm_payload_signature_address',
  'invalid_exact_evm_payload_authorization_valid_after',
  'invalid_exact_evm_payload_authorization_valid_before',
  'invalid_exact_evm_payload_authorization_value',
  'invalid_exact_evm_payload_authorization_value_too_low',
  'invalid_exact_evm_payload_authorization_typed_data_message',
  'invalid_exact_evm_payload_authorization_from_address_kyt',
  'invalid_exact_evm_payload_authorization_to_address_kyt',
  'invalid_exact_evm_payload_recipient_mismatch',
  'invalid_exact_evm_recipient_mismatch',
  'invalid_network',
  'invalid_payload',
  'invalid_payment_requirements',
  'invalid_scheme',
  'invalid_x402_version',
  'unsupported_scheme',
  'invalid_upto_evm_network_mismatch',
  'invalid_upto_evm_scheme',
  'upto_facilitator_mismatch',
  'invalid_permit2_recipient_mismatch',
  'invalid_permit2_signature',
  'invalid_permit2_spender',
  'permit2_allowance_required',
  'permit2_amount_mismatch',
  'permit2_deadline_expired',
  'permit2_insufficient_balance',
  'permit2_not_yet_valid',
  'permit2_proxy_not_deployed',
  'permit2_simulation_failed',
  'permit2_token_mismatch',
  'eip2612_asset_mismatch',
  'eip2612_deadline_expired',
  'eip2612_from_mismatch',
  'eip2612_spender_not_permit2',
  'invalid_eip2612_extension_format',
  'unsupported_payload_type',
])
