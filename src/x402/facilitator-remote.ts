import { HTTPFacilitatorClient } from '@x402/core/server'
import { SettleError, type SettleResponse, VerifyError } from '@x402/core/types'
import type { Hex, PublicClient } from 'viem'
import type { Network } from '../chain/networks.ts'
import { findEvidence, outcomeOf, provesTransfer } from './evidence.ts'
import { type Facilitator, PaymentsUnavailable, type Settlement } from './facilitator.ts'
import type { Payment, Requirement } from './types.ts'
import { v2Payload } from './wire.ts'

/**
 * Verifies and settles through an x402 facilitator over HTTP. Its word alone never counts as money:
 * what it says it settled is looked up on the chain, and whatever leaves room for a transfer that is
 * still to come is `unknown`, so that nobody is asked to pay twice.
 */
interface RemoteFacilitatorOptions {
  readonly url: string
  readonly timeoutMs: number
  readonly client: PublicClient
  readonly network: Network
}

export function createRemoteFacilitator({
  url,
  timeoutMs,
  client,
  network,
}: RemoteFacilitatorOptions): Facilitator {
  const facilitator = new HTTPFacilitatorClient({ url, timeoutMs })

  return {
    id: url,

    async verify(payment, requirement) {
      let answer: {
        isValid: boolean
        invalidReason?: string | undefined
        invalidMessage?: string | undefined
      }
      try {
        answer = await facilitator.verify(v2Payload(payment, requirement), requirement)
      } catch (cause) {
        // A facilitator that is out of order says nothing about the payment, whatever its body looks like.
        if (!(cause instanceof VerifyError) || cause.statusCode >= 500)
          throw new PaymentsUnavailable('the facilitator does not answer', { cause })
        answer = { isValid: false, invalidReason: cause.invalidReason, invalidMessage: cause.message }
      }
      if (answer.isValid) return undefined
      return {
        reason: answer.invalidReason ?? 'unexpected_verify_error',
        message: firstLine(answer.invalidMessage) ?? 'the facilitator refuses the payment',
      }
    },

    async settle(payment, requirement, attempt) {
      const told = await ask(payment, requirement)
      if (told.outcome === 'settled') return told
      // Behind a lost answer or a refusal the money may have moved all the same: sent by the
      // facilitator, or by anybody else who has seen the authorization.
      try {
        const evidence = await findEvidence(client, requirement.asset, payment.authorization)
        if (evidence.kind !== 'unused') return outcomeOf(evidence)
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
      let kinds: { x402Version: number; scheme: string; network: string }[]
      try {
        kinds = (await facilitator.getSupported()).kinds
      } catch (cause) {
        throw new PaymentsUnavailable('the facilitator does not answer', { cause })
      }
      const supports = kinds.some(
        (kind) => kind.x402Version === 2 && kind.scheme === 'exact' && kind.network === network.caip2,
      )
      if (!supports)
        throw new PaymentsUnavailable(`the facilitator does not settle exact payments on ${network.caip2}`)
    },
  }

  /** What the facilitator says; `settled` only when the chain bears it out. */
  async function ask(payment: Payment, requirement: Requirement): Promise<Settlement> {
    try {
      const answer = await facilitator.settle(v2Payload(payment, requirement), requirement)
      return await judge(answer, payment, requirement)
    } catch (cause) {
      // Even an answer of 500 that says `success: false` may come after the broadcast.
      const transaction = cause instanceof SettleError ? transactionHash(cause.transaction) : undefined
      return { outcome: 'unknown', cause, ...(transaction ? { transaction } : {}) }
    }
  }

  async function judge(
    answer: SettleResponse,
    payment: Payment,
    requirement: Requirement,
  ): Promise<Settlement> {
    const transaction = transactionHash(answer.transaction)
    if (!answer.success) {
      const reason = answer.errorReason ?? 'unexpected_settle_error'
      return transaction || !refusedBeforeBroadcast.has(reason)
        ? {
            outcome: 'unknown',
            ...(transaction ? { transaction } : {}),
            cause: new Error(`the facilitator says ${reason}`),
          }
        : {
            outcome: 'failed',
            refusal: {
              reason,
              message: firstLine(answer.errorMessage) ?? 'the facilitator refuses to settle',
            },
          }
    }
    if (!transaction) return { outcome: 'unknown', cause: new Error('the facilitator names no transaction') }
    const receipt = await client.waitForTransactionReceipt({ hash: transaction, timeout: timeoutMs })
    return provesTransfer(receipt.logs, requirement.asset, payment.authorization)
      ? { outcome: 'settled', transaction: receipt.transactionHash }
      : {
          outcome: 'unknown',
          transaction,
          cause: new Error('the named transaction does not bear the transfer'),
        }
  }
}

/** Reasons a facilitator can only give before it has sent anything. */
const refusedBeforeBroadcast: ReadonlySet<string> = new Set([
  'insufficient_funds',
  'invalid_exact_evm_insufficient_balance',
  'invalid_exact_evm_signature',
  'invalid_exact_evm_payload_signature',
  'invalid_exact_evm_payload_authorization_valid_after',
  'invalid_exact_evm_payload_authorization_valid_before',
  'invalid_exact_evm_payload_recipient_mismatch',
  'invalid_exact_evm_recipient_mismatch',
  'invalid_network',
  'invalid_scheme',
  'unsupported_scheme',
])

/** Some facilitators pass on a library's whole report; its first line says it. */
function firstLine(message: string | undefined): string | undefined {
  return message?.split('\n', 1)[0]
}

function transactionHash(text: string): Hex | undefined {
  return /^0x[0-9a-fA-F]{64}$/.test(text) ? `0x${text.slice(2)}` : undefined
}
