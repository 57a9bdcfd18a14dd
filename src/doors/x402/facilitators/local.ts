import type { PublicClient } from 'viem'
import type { Network } from '../../../platform/chain/networks.ts'
import { createReadPayerSignature } from '../evidence/signature.ts'
import type { PayerCodeCache } from '../settler/payer-code-cache.ts'
import type { Settler } from '../settler/settler.ts'
import { type Facilitator, PaymentsUnavailable, type Screening, type Verdict } from '../wire/facilitator.ts'
import type { Authorization, Payment, Refusal, Requirement } from '../wire/types.ts'
import { signatureReason, verifyExact } from './verify-exact.ts'
import { refuseForeignUpto, type UptoAccounts, verifyUpto } from './verify-upto.ts'

interface LocalFacilitatorOptions {
  readonly client: PublicClient
  readonly network: Network
  readonly settler: Settler
  /** Shared with the settler, so that the chain is asked once for both. */
  readonly payers: PayerCodeCache
  /** The accounts of all gateways, where several share them; those of the settler when left out. */
  readonly accounts?: UptoAccounts | undefined
}

/**
 * Creates the facilitator that verifies and settles in this process. It finds the signer before it asks the
 * chain: a signature that is not the payer's own can only be a wallet contract's, and a payer without code is
 * refused immediately.
 */
export function createLocalFacilitator(options: LocalFacilitatorOptions): Facilitator {
  const { client, network, settler, payers } = options
  const readPayerSignature = createReadPayerSignature(network)
  const accounts = options.accounts ?? {
    uptoAddress: () => settler.uptoAddress(),
    accepts: (account) => settler.isOurs(account),
  }

  /** The refusal of a payment that the payer cannot have signed so. */
  async function refuseSignature(payment: Payment): Promise<Refusal | undefined> {
    const foreign = refuseForeignUpto(payment, accounts)
    if (foreign) return foreign
    const reason = signatureReason(payment)
    if (payment.signature.endsWith(erc6492Suffix)) {
      return { reason, message: 'a wallet pays once it is deployed, with a plain ERC-1271 signature' }
    }
    if (readPayerSignature(payment) || (await payers.hasCode(payment.authorization.from))) return undefined
    return { reason, message: 'the signature is not the payer’s' }
  }

  async function screen(payment: Payment): Promise<Screening> {
    const refusal = await refuseSignature(payment)
    if (refusal) return { kind: 'refused', refusal }
    if (readPayerSignature(payment)) return { kind: 'plain' }
    const { from } = payment.authorization
    const kind = await payers.kindOf(from)
    const known = kind === undefined ? undefined : await settler.refusalOf(from, kind)
    return known ? { kind: 'refused', refusal: known } : { kind: 'contract' }
  }

  async function verify(payment: Payment, requirement: Requirement): Promise<Verdict> {
    const { authorization } = payment
    const screened = await screen(payment)
    if (screened.kind === 'refused') return { isValid: false, refusal: screened.refusal }
    const wallet = readPayerSignature(payment)
    return authorization.facilitator
      ? verifyUpto(payment, requirement, wallet !== undefined, { client, settler, payers })
      : verifyExact(payment, requirement, wallet, { client, settler, payers })
  }

  return {
    id: 'local',

    verify: (payment, requirement) => fromChain(verify(payment, requirement)),

    screen: (payment) => fromChain(screen(payment)),

    settle: (payment, { amount }, attempt) =>
      settler.settle(payment, amountDue(payment.authorization, amount), attempt),

    checkReady: () => settler.checkReady(),

    uptoAddress: () => accounts.uptoAddress(),

    maySettleFrom: (account) => accounts.accepts(account),

    settlers: () => [{ id: 'local', accounts: settler.accounts() }],
  }
}

async function fromChain<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (error instanceof PaymentsUnavailable) throw error
    throw new PaymentsUnavailable('the chain does not answer', { cause: error })
  }
}

/**
 * Ends the signature of a wallet that is not deployed yet, which names a contract to be called first
 * (ERC-6492).
 */
const erc6492Suffix = '6492'.repeat(16)

/**
 * The amount that is taken, in atomic units: the token moves the signed amount, Permit2 the amount in the
 * requirement.
 */
function amountDue({ facilitator, value }: Authorization, amount: string): bigint {
  return facilitator ? BigInt(amount) : value
}
