import { type Address, concat, type Hex, isAddressEqual, type PublicClient } from 'viem'
import type { Network } from '../../../platform/chain/networks.ts'
import {
  findAuthorizationState,
  inclusionOf,
  outcomeOf,
  provesPayment,
} from '../evidence/authorization-state.ts'
import { readFunds } from '../evidence/funds.ts'
import { parseWalletSignature, recoverSigner } from '../evidence/signature.ts'
import type { Extensions } from '../wire/extensions.ts'
import { type Facilitator, PaymentsUnavailable, type Settlement } from '../wire/facilitator.ts'
import type { Payment, Refusal, Requirement } from '../wire/types.ts'
import { type Authorize, createFacilitatorHttp } from './http.ts'
import { readSupported, uptoAccountOf } from './supported.ts'

/**
 * Verifies and settles through an x402 facilitator over HTTP. Its word alone never counts as money:
 * what it says it settled is looked up on the chain, and whatever leaves room for a transfer that is
 * still to come is `unknown`, so that nobody is asked to pay twice.
 */
interface RemoteFacilitatorOptions {
  /** Named in logs; the address when unset. */
  readonly id?: string
  /** Without a trailing slash. */
  readonly url: string
  readonly timeoutMs: number
  readonly authorize?: Authorize
  /** Told with each payment. */
  readonly extensions?: Extensions | undefined
  readonly client: PublicClient
  readonly network: Network
}

export function createRemoteFacilitator({
  url,
  id = url,
  timeoutMs,
  authorize,
  extensions,
  client,
  network,
}: RemoteFacilitatorOptions): Facilitator {
  const facilitator = createFacilitatorHttp({ url, timeoutMs, authorize, extensions })
  let account: Address | undefined

  return {
    id,

    async verify(given, requirement) {
      const payment = withPlainSignature(given, network)
      // The balance is our own question: nobody else keeps count of what this payer has under way here.
      const [refusal, funds] = await Promise.allSettled([
        whyRefused(payment, requirement),
        readFunds(client, requirement.asset, payment.authorization.from),
      ])
      if (refusal.status === 'rejected') {
        throw new PaymentsUnavailable('the facilitator does not answer', { cause: refusal.reason })
      }
      if (refusal.value) return { isValid: false, refusal: refusal.value }
      if (funds.status === 'rejected') {
        throw new PaymentsUnavailable('the chain does not answer', { cause: funds.reason })
      }
      return { isValid: true, funds: funds.value }
    },

    async settle(given, requirement, attempt) {
      const payment = withPlainSignature(given, network)
      const told = await ask(payment, requirement)
      if (told.outcome === 'settled') return told
      // Behind a lost answer or a refusal the money may have moved all the same: sent by the
      // facilitator, or by anybody else who has seen the authorization.
      try {
        const evidence = await findAuthorizationState(client, requirement.asset, payment.authorization)
        if (evidence.kind !== 'unused') return outcomeOf(evidence, BigInt(requirement.amount))
      } catch (cause) {
        return told.outcome === 'unknown' ? told : { outcome: 'unknown', cause }
      }
      return told.outcome === 'failed' && attempt === 'again'
        ? {
            outcome: 'unknown',
            cause: new Error(`refused (${told.refusal.reason}) after an earlier attempt`),
          }
        : told
    },

    async checkReady() {
      account = uptoAccountOf(await readSupported(facilitator, network), network, account)
    },

    uptoAddress: () => account,
  }

  /** @returns undefined when the facilitator finds nothing wrong with the payment. */
  async function whyRefused(payment: Payment, requirement: Requirement): Promise<Refusal | undefined> {
    const { status, body } = await facilitator.verify(payment, requirement)
    // A facilitator that is out of order says nothing about the payment, whatever its body looks like.
    if (status >= 500) throw new Error(`the facilitator’s verify answers ${status}`)
    if (isOk(status) && body.isValid) return undefined
    return {
      reason: body.invalidReason ?? 'unexpected_verify_error',
      message: body.invalidMessage ?? 'the facilitator refuses the payment',
    }
  }

  /** What the facilitator says; `settled` only when the chain bears it out. */
  async function ask(payment: Payment, requirement: Requirement): Promise<Settlement> {
    try {
      const { status, body } = await facilitator.settle(payment, requirement)
      const { errorReason: reason = 'unexpected_settle_error', errorMessage } = body
      const transaction = transactionHash(body.transaction)
      if (isOk(status) && body.success) return await confirm(transaction, payment, requirement)
      // Even an answer of 500 that says `success: false` may come after the broadcast.
      return status >= 500 || body.success || transaction || !refusedBeforeBroadcast.has(reason)
        ? unknownOutcome(`the facilitator’s settle answers ${status}: ${reason}`, transaction)
        : {
            outcome: 'failed',
            refusal: { reason, message: errorMessage ?? 'the facilitator refuses to settle' },
          }
    } catch (cause) {
      return { outcome: 'unknown', cause }
    }
  }

  async function confirm(
    transaction: Hex | undefined,
    payment: Payment,
    requirement: Requirement,
  ): Promise<Settlement> {
    if (!transaction) return unknownOutcome('the facilitator names no transaction')
    const receipt = await client.waitForTransactionReceipt({ hash: transaction, timeout: timeoutMs })
    const { asset, amount } = requirement
    return (await provesPayment(client, receipt, asset, payment.authorization, BigInt(amount)))
      ? { outcome: 'settled', ...inclusionOf(receipt) }
      : unknownOutcome('the named transaction does not bear the transfer', transaction)
  }
}

/**
 * A plain wallet's signature has several forms, and facilitators know the longest only; a contract's is
 * passed on as it came, for only the contract knows how to read it.
 */
function withPlainSignature(payment: Payment, network: Network): Payment {
  const wallet = parseWalletSignature(payment.signature)
  const signer = wallet && recoverSigner(payment.authorization, wallet, network)
  if (!wallet || !signer || !isAddressEqual(signer, payment.authorization.from)) return payment
  return { ...payment, signature: concat([wallet.r, wallet.s, wallet.v === 27 ? '0x1b' : '0x1c']) }
}

function isOk(status: number): boolean {
  return status >= 200 && status < 300
}

function unknownOutcome(why: string, transaction?: Hex): Settlement {
  return { outcome: 'unknown', ...(transaction ? { transaction } : {}), cause: new Error(why) }
}

function transactionHash(text: string | null | undefined): Hex | undefined {
  return text && /^0x[0-9a-fA-F]{64}$/.test(text) ? `0x${text.slice(2)}` : undefined
}

/**
 * Reasons a facilitator can only give before it has sent anything: the reference's and Coinbase's. Behind any other
 * word the money may be on its way, and a payer who is told to pay again pays twice.
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
