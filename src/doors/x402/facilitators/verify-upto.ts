import type { Address, PublicClient } from 'viem'
import { formatUsdc } from '../../../core/money.ts'
import { permit2Abi, permit2Address } from '../../../platform/chain/permit2.ts'
import { blockNumberCall } from '../evidence/funds.ts'
import { placeOf } from '../evidence/permit2-nonces.ts'
import { tokenAbi } from '../evidence/token.ts'
import type { PayerCodeCache } from '../settler/payer-code-cache.ts'
import type { Settler } from '../settler/settler.ts'
import { insufficientFunds, PaymentsUnavailable, refused, type Verdict } from '../wire/facilitator.ts'
import type { Payment, Refusal, Requirement } from '../wire/types.ts'

interface VerifyTools {
  readonly client: PublicClient
  readonly settler: Settler
  readonly payers: PayerCodeCache
}

/**
 * Verifies that an `upto` payment could be settled for its signed maximum. The final amount is not known yet,
 * and a payer who cannot pay the maximum must not be served. The settlement is simulated from the account
 * that the payer signed, because the proxy contract accepts no other caller.
 *
 * The payer's funds count only as far as Permit2 may move them: ten calls at once could otherwise be served
 * on an approval that pays for one. A permit sets that approval anew, to its own amount.
 * @param isPlain whether the payer's own key made the signature.
 */
export async function verifyUpto(
  payment: Payment,
  { asset }: Requirement,
  isPlain: boolean,
  { client, settler, payers }: VerifyTools,
): Promise<Verdict> {
  const { authorization, permit } = payment
  const { value } = authorization
  const tryOut = async () => {
    const kind = await payers.kindOf(authorization.from)
    return { isContract: kind !== undefined, ...(await settler.tryOut({ ...payment, amount: value }, kind)) }
  }
  // Of a payer that was never seen here the funds are read first: most bad payments come from empty wallets.
  const trying = payers.knows(authorization.from) ? tryOut() : undefined
  trying?.catch(() => {})
  const { block, balance, allowance, isUsed } = await readState(client, asset, authorization)
  if (isUsed) {
    return refused('permit2_invalid_nonce', 'the nonce was already used or canceled in Permit2')
  }
  if (balance < value) {
    return insufficientFunds({ balance, block }, value)
  }
  if (!permit && allowance < value) {
    return refused(
      'permit2_allowance_required',
      `Permit2 may move ${formatUsdc(allowance)} of ${formatUsdc(value)} USDC: call approve(${permit2Address}, ${value}) on ` +
        `${asset} once, or send an EIP-2612 permit along (extension eip2612GasSponsoring)`,
    )
  }
  const trial = await (trying ?? tryOut())
  if (trial.kind === 'refused') return { isValid: false, refusal: trial.refusal }
  if (trial.kind === 'fails') {
    return isPlain
      ? refused('permit2_simulation_failed', explainFailedSimulation(payment))
      : refused('invalid_permit2_signature', 'Permit2 refuses the signature')
  }
  if (!settler.hasRoomAlone(trial.isContract)) {
    throw new PaymentsUnavailable('too many payments wait to be settled one by one')
  }
  const movable = permit ? permit.value : allowance
  if (movable < balance) return { isValid: true, funds: { balance: movable, block } }
  return { isValid: true, funds: { balance, block } }
}

/** The accounts that `upto` payments may name. */
export interface UptoAccounts {
  /** The one that the 402 names. */
  uptoAddress(): Address
  /** Whether a payment that names this account can be settled. */
  accepts(account: Address): boolean
}

/** The refusal of an `upto` payment that names another account than ours, whatever the chain says. */
export function refuseForeignUpto(
  { authorization: { facilitator } }: Payment,
  accounts: UptoAccounts,
): Refusal | undefined {
  if (!facilitator || accounts.accepts(facilitator)) return undefined
  return {
    reason: 'upto_facilitator_mismatch',
    message: `the facilitator must be ${accounts.uptoAddress()}`,
  }
}

async function readState(
  client: PublicClient,
  asset: Requirement['asset'],
  { from, nonce }: Payment['authorization'],
) {
  const { word, bit } = placeOf(nonce)
  const token = { address: asset, abi: tokenAbi } as const
  const [block, balance, allowance, bits] = await client.multicall({
    contracts: [
      blockNumberCall,
      { ...token, functionName: 'balanceOf', args: [from] },
      { ...token, functionName: 'allowance', args: [from, permit2Address] },
      { address: permit2Address, abi: permit2Abi, functionName: 'nonceBitmap', args: [from, word] },
    ],
    allowFailure: false,
    batchSize: 0,
  })
  return { block, balance, allowance, isUsed: (bits & bit) !== 0n }
}

function explainFailedSimulation({ permit }: Payment): string {
  return permit
    ? 'the settlement would fail: the EIP-2612 permit may be used up or expired, without an approval that is enough'
    : 'the settlement would fail on the chain'
}
