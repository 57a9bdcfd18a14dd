import type { PublicClient } from 'viem'
import type { Network } from '../../../platform/chain/networks.ts'
import { createReadPayerSignature } from '../evidence/signature.ts'
import type { PayerCodeCache } from '../settler/payer-code-cache.ts'
import type { Settler } from '../settler/settler.ts'
import { type Facilitator, PaymentsUnavailable, refused, type Verdict } from '../wire/facilitator.ts'
import type { Authorization, Payment, Requirement } from '../wire/types.ts'
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

  async function verify(payment: Payment, requirement: Requirement): Promise<Verdict> {
    const { authorization, signature } = payment
    const foreign = refuseForeignUpto(payment, accounts)
    if (foreign) return foreign
    if (signature.endsWith(erc6492Suffix)) {
      return refused(
        signatureReason(payment),
        'a wallet pays once it is deployed, with a plain ERC-1271 signature',
      )
    }
    const wallet = readPayerSignature(payment)
    if (!wallet && !(await payers.hasCode(authorization.from))) {
      return refused(signatureReason(payment), 'the signature is not the payer’s')
    }
    return authorization.facilitator
      ? verifyUpto(payment, requirement, wallet !== undefined, { client, settler, payers })
      : verifyExact(payment, requirement, wallet, { client, settler, payers })
  }

  return {
    id: 'local',

    async verify(payment, requirement) {
      try {
        return await verify(payment, requirement)
      } catch (error) {
        if (error instanceof PaymentsUnavailable) throw error
        throw new PaymentsUnavailable('the chain does not answer', { cause: error })
      }
    },

    settle: (payment, { amount }, attempt) =>
      settler.settle(payment, amountDue(payment.authorization, amount), attempt),

    checkReady: () => settler.checkReady(),

    uptoAddress: () => accounts.uptoAddress(),

    maySettleFrom: (account) => accounts.accepts(account),

    settlers: () => [{ id: 'local', accounts: settler.accounts() }],
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
