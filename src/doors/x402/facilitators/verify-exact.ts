import type { PublicClient } from 'viem'
import { blockNumberCall } from '../evidence/funds.ts'
import type { WalletSignature } from '../evidence/signature.ts'
import { tokenAbi } from '../evidence/token.ts'
import type { PayerCodeCache } from '../settler/payer-code-cache.ts'
import type { Settler } from '../settler/settler.ts'
import { insufficientFunds, PaymentsUnavailable, refused, type Verdict } from '../wire/facilitator.ts'
import type { Authorization, Payment, Requirement } from '../wire/types.ts'

interface VerifyTools {
  readonly client: PublicClient
  readonly settler: Settler
  readonly payers: PayerCodeCache
}

/**
 * Verifies an `exact` payment on the chain. A plain wallet's transfer is simulated in the same call that
 * reads its balance and nonce, so that all three are of one block. A wallet contract's transfer is simulated
 * as it would be sent, because the contract can tell the two apart. Of a payer that was never seen here the code is
 * looked up last: most bad payments come from empty wallets, and cost one call to the node.
 * @param wallet the signature, when the payer's own key made it.
 */
export async function verifyExact(
  payment: Payment,
  requirement: Requirement,
  wallet: WalletSignature | undefined,
  { client, settler, payers }: VerifyTools,
): Promise<Verdict> {
  const { authorization } = payment
  const { from, value } = authorization
  if (payers.knows(from)) void payers.kindOf(from).catch(() => {})
  const { block, balance, isUsed, succeeds } = await readState(client, authorization, wallet, requirement)
  if (isUsed) {
    return refused('invalid_transaction_state', 'the authorization was already used or canceled on the chain')
  }
  if (balance < value) {
    return insufficientFunds({ balance, block }, value)
  }
  const kind = await payers.kindOf(from)
  const trial = kind === undefined ? undefined : await settler.tryOut({ ...payment, amount: value }, kind)
  if (trial?.kind === 'refused') return { isValid: false, refusal: trial.refusal }
  const moves = trial ? trial.kind === 'fits' : succeeds
  if (!moves) return refused(signatureReason(payment), 'the token refuses the authorization')
  if (trial && !settler.hasRoomAlone(true)) {
    throw new PaymentsUnavailable('too many payments of smart wallets wait to be settled')
  }
  return { isValid: true, funds: { balance, block } }
}

/** The specification's reason for a bad signature, which differs by scheme. */
export function signatureReason({ authorization: { facilitator } }: Payment): string {
  return facilitator ? 'invalid_permit2_signature' : 'invalid_exact_evm_payload_signature'
}

async function readState(
  client: PublicClient,
  authorization: Authorization,
  wallet: WalletSignature | undefined,
  { asset }: Requirement,
) {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const token = { address: asset, abi: tokenAbi } as const
  const reads = [
    blockNumberCall,
    { ...token, functionName: 'balanceOf', args: [from] },
    { ...token, functionName: 'authorizationState', args: [from, nonce] },
  ] as const
  if (!wallet) {
    const [block, balance, isUsed] = await client.multicall({
      contracts: reads,
      allowFailure: false,
      batchSize: 0,
    })
    return { block, balance, isUsed, succeeds: false }
  }
  const { v, r, s } = wallet
  const args = [from, to, value, validAfter, validBefore, nonce, v, r, s] as const
  const transfer = { ...token, functionName: 'transferWithAuthorization', args } as const
  const [block, balance, isUsed, moved] = await client.multicall({
    contracts: [...reads, transfer],
    batchSize: 0,
  })
  if (block.status === 'failure') throw block.error
  if (balance.status === 'failure') throw balance.error
  if (isUsed.status === 'failure') throw isUsed.error
  return {
    block: block.result,
    balance: balance.result,
    isUsed: isUsed.result,
    succeeds: moved.status === 'success',
  }
}
