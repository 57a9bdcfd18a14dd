import type { PublicClient } from 'viem'
import { permit2Abi, permit2Address } from '../../../platform/chain/permit2.ts'
import { blockNumberCall } from '../evidence/funds.ts'
import { placeOf } from '../evidence/permit2-nonces.ts'
import { tokenAbi } from '../evidence/token.ts'
import type { Settler } from '../settler/settler.ts'
import { PaymentsUnavailable, type Verdict } from '../wire/facilitator.ts'
import type { Payment, Refusal, Requirement } from '../wire/types.ts'

/**
 * Whether an `upto` payment could be settled for all that was signed. What it will come to is not known yet,
 * and whoever cannot pay the most must not be served. The settlement is tried from the very account that is to
 * send it, for the contract that moves the money listens to no other.
 *
 * What Permit2 may move counts as what the payer holds: of ten payments under way at once, an approval of one
 * pays for one, whatever the balance is. A permit sets that approval anew to its own amount.
 * @param isPlain whether the payer's own key made the signature.
 */
export async function verifyUpto(
  payment: Payment,
  { asset }: Requirement,
  isPlain: boolean,
  client: PublicClient,
  settler: Settler,
): Promise<Verdict> {
  const { authorization, permit } = payment
  const { value } = authorization
  const [{ block, balance, allowance, isUsed }, moves] = await Promise.all([
    readState(client, asset, authorization),
    settler.simulate({ ...payment, amount: value }),
  ])
  if (isUsed) {
    return refused({
      reason: 'permit2_invalid_nonce',
      message: 'the nonce was already used or cancelled in Permit2',
    })
  }
  if (balance < value) {
    return refused({
      reason: 'insufficient_funds',
      message: `the payer holds ${balance} of ${value} atomic units`,
    })
  }
  if (!permit && allowance < value) {
    return refused({
      reason: 'permit2_allowance_required',
      message:
        `Permit2 may move ${allowance} of ${value} atomic units: call approve(${permit2Address}, amount) on ` +
        `${asset} once, or send an EIP-2612 permit along (extension eip2612GasSponsoring)`,
    })
  }
  if (!moves) {
    return refused(
      isPlain
        ? { reason: 'permit2_simulation_failed', message: whyNot(payment) }
        : { reason: 'invalid_permit2_signature', message: 'Permit2 refuses the signature' },
    )
  }
  if (!settler.hasRoomAlone()) {
    throw new PaymentsUnavailable('too many payments wait to be settled one by one')
  }
  const movable = permit ? permit.value : allowance
  if (movable < balance) return { isValid: true, funds: { balance: movable, block } }
  return { isValid: true, funds: { balance, block } }
}

/** Why a payment can never be settled here, whatever the chain says. */
export function whyNotOurs(
  { authorization: { facilitator } }: Payment,
  settler: Settler,
): Refusal | undefined {
  if (!facilitator || settler.isOurs(facilitator)) return undefined
  return {
    reason: 'upto_facilitator_mismatch',
    message: `the facilitator must be ${settler.uptoAddress()}`,
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

function whyNot({ permit }: Payment): string {
  return permit
    ? 'the settlement would fail: the EIP-2612 permit may be used up or expired, without an approval that is enough'
    : 'the settlement would fail on the chain'
}

function refused(refusal: Refusal): Verdict {
  return { isValid: false, refusal }
}
