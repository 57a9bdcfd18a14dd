import {
  concat,
  type Hex,
  hexToBigInt,
  multicall3Abi,
  type PublicClient,
  pad,
  toFunctionSelector,
} from 'viem'
import { multicall3Address } from '../../../platform/chain/networks.ts'
import type { WalletSignature } from '../evidence/signature.ts'
import { transferCall } from '../evidence/token.ts'
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
  const transfer = wallet && transferCall(authorization, payment.signature)
  const { block, balance, isUsed, succeeds } = await readState(client, authorization, transfer, requirement)
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

/**
 * Reads block, balance and nonce in one call to the node, and simulates a plain wallet's transfer after them. The parts
 * are encoded here and not by viem's `multicall`, which would find and hash each function anew for each payment.
 */
async function readState(
  client: PublicClient,
  { from, nonce }: Authorization,
  transfer: Hex | undefined,
  { asset }: Requirement,
) {
  const calls = [
    { target: multicall3Address, allowFailure: false, callData: getBlockNumber },
    { target: asset, allowFailure: false, callData: concat([balanceOf, pad(from)]) },
    { target: asset, allowFailure: false, callData: concat([authorizationState, pad(from), nonce]) },
    ...(transfer ? [{ target: asset, allowFailure: true, callData: transfer }] : []),
  ]
  const [block, balance, used, moved] = await client.readContract({
    address: multicall3Address,
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [calls],
  })
  if (!block || !balance || !used) throw new Error('the chain left a part of a call without an answer')
  return {
    block: hexToBigInt(block.returnData),
    balance: hexToBigInt(balance.returnData),
    isUsed: hexToBigInt(used.returnData) !== 0n,
    succeeds: moved?.success === true,
  }
}

const getBlockNumber = toFunctionSelector('getBlockNumber()')
const balanceOf = toFunctionSelector('balanceOf(address)')
const authorizationState = toFunctionSelector('authorizationState(address,bytes32)')
