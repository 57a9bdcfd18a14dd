import { isAddressEqual, type PublicClient } from 'viem'
import type { Network } from '../../../platform/chain/networks.ts'
import { blockNumberCall } from '../evidence/funds.ts'
import { parseWalletSignature, recoverSigner, type WalletSignature } from '../evidence/signature.ts'
import { tokenAbi } from '../evidence/token.ts'
import type { PayerCodeCache } from '../settler/payer-code-cache.ts'
import type { Settler } from '../settler/settler.ts'
import { type Facilitator, PaymentsUnavailable, type Verdict } from '../wire/facilitator.ts'
import type { Authorization, Payment, Refusal, Requirement } from '../wire/types.ts'
import { verifyUpto, whyNotOurs } from './verify-upto.ts'

/**
 * Verifies and settles in this process. Who signed is found out here, before the chain is asked anything:
 * a signature that is not the payer's own can only be a wallet contract's, and a payer known to be none is
 * refused at once. One request then shows balance, nonce and the transfer itself as they would be now.
 */
interface LocalFacilitatorOptions {
  readonly client: PublicClient
  readonly network: Network
  readonly settler: Settler
  /** The settler's own, which then need not ask again. */
  readonly payers: PayerCodeCache
}

export function createLocalFacilitator(options: LocalFacilitatorOptions): Facilitator {
  const { client, network, settler, payers } = options

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
      settler.settle(payment, dueOf(payment.authorization, amount), attempt),

    checkReady: () => settler.checkReady(),

    uptoAddress: () => settler.uptoAddress(),
  }

  async function verify(payment: Payment, requirement: Requirement): Promise<Verdict> {
    const { authorization, signature } = payment
    const { from, value } = authorization
    const notOurs = whyNotOurs(payment, settler)
    if (notOurs) return refused(notOurs)
    if (signature.endsWith(erc6492Suffix)) {
      return badSignature(payment, 'a wallet pays once it is deployed, with a plain ERC-1271 signature')
    }
    const wallet = walletOf(payment)
    if (!wallet && !(await payers.hasCode(from))) {
      return badSignature(payment, 'the signature is not the payer’s')
    }
    if (authorization.facilitator) {
      return verifyUpto(payment, requirement, wallet !== undefined, client, settler)
    }
    // A plain wallet's transfer is tried in the same breath as its balance is read, or one could change
    // between the two; a contract's goes as it would be sent, for it can tell the difference.
    const [hasCode, { block, balance, isUsed, succeeds }] = await Promise.all([
      payers.hasCode(from),
      readState(authorization, wallet, requirement),
    ])
    if (isUsed) {
      return refused({
        reason: 'invalid_transaction_state',
        message: 'the authorization was already used or cancelled on the chain',
      })
    }
    if (balance < value) {
      return refused({
        reason: 'insufficient_funds',
        message: `the payer holds ${balance} of ${value} atomic units`,
      })
    }
    const taking = { authorization, signature, amount: value }
    const moves = hasCode ? await settler.simulate(taking) : succeeds
    if (!moves) return badSignature(payment, 'the token refuses the authorization')
    if (hasCode && !settler.hasRoomAlone()) {
      throw new PaymentsUnavailable('too many payments of smart wallets wait to be settled')
    }
    return { isValid: true, funds: { balance, block } }
  }

  /** The signature in the form the token takes, when the payer's own key made it. */
  function walletOf({ authorization, signature }: Payment): WalletSignature | undefined {
    const wallet = parseWalletSignature(signature)
    const signer = wallet && recoverSigner(authorization, wallet, network)
    return signer && isAddressEqual(signer, authorization.from) ? wallet : undefined
  }

  async function readState(
    authorization: Authorization,
    wallet: WalletSignature | undefined,
    { asset }: Requirement,
  ) {
    const { from, to, value, validAfter, validBefore, nonce } = authorization
    const token = { address: asset, abi: tokenAbi } as const
    const questions = [
      blockNumberCall,
      { ...token, functionName: 'balanceOf', args: [from] },
      { ...token, functionName: 'authorizationState', args: [from, nonce] },
    ] as const
    if (!wallet) {
      const [block, balance, isUsed] = await client.multicall({
        contracts: questions,
        allowFailure: false,
        batchSize: 0,
      })
      return { block, balance, isUsed, succeeds: false }
    }
    const { v, r, s } = wallet
    const args = [from, to, value, validAfter, validBefore, nonce, v, r, s] as const
    const transfer = { ...token, functionName: 'transferWithAuthorization', args } as const
    const [block, balance, isUsed, moved] = await client.multicall({
      contracts: [...questions, transfer],
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
}

/** Ends the envelope of a wallet that is yet to be deployed: it names a contract of its choice to be called first. */
const erc6492Suffix = '6492'.repeat(16)

function badSignature({ authorization: { facilitator } }: Payment, message: string): Verdict {
  const reason = facilitator ? 'invalid_permit2_signature' : 'invalid_exact_evm_payload_signature'
  return refused({ reason, message })
}

/** What is taken, in atomic units: the token moves what was signed for it, Permit2 what the requirement asks. */
function dueOf({ facilitator, value }: Authorization, amount: string): bigint {
  return facilitator ? BigInt(amount) : value
}

function refused(refusal: Refusal): Verdict {
  return { isValid: false, refusal }
}
