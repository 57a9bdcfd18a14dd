import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { isAddressEqual, type PublicClient } from 'viem'
import type { Network } from '../chain/networks.ts'
import { type Facilitator, PaymentsUnavailable, type Verdict } from './facilitator.ts'
import { blockNumberCall, readFunds } from './funds.ts'
import type { Settler } from './settler.ts'
import { parseWalletSignature, recoverSigner, type WalletSignature } from './signature.ts'
import { tokenAbi } from './token.ts'
import type { Authorization, Payment, Refusal, Requirement } from './types.ts'
import { v2Payload } from './wire.ts'

/**
 * Verifies and settles in this process. A plain wallet's signature is checked here before the chain is
 * asked anything; one call then shows balance, nonce and the transfer itself as they would be now.
 * Smart wallets (ERC-1271) go the way of the reference facilitator's scheme.
 */
interface LocalFacilitatorOptions {
  readonly client: PublicClient
  readonly network: Network
  readonly settler: Settler
}

export function createLocalFacilitator({ client, network, settler }: LocalFacilitatorOptions): Facilitator {
  const smartWallets = new ExactEvmScheme({
    getAddresses: () => [settler.address],
    readContract: (request) => client.readContract({ ...request, args: request.args ?? [] }),
    getCode: (request) => client.getCode(request),
    verifyTypedData: () => refuseToSend(),
    writeContract: () => refuseToSend(),
    sendTransaction: () => refuseToSend(),
    waitForTransactionReceipt: () => refuseToSend(),
  })

  return {
    id: 'local',

    async verify(payment, requirement) {
      const { authorization } = payment
      const wallet = parseWalletSignature(payment.signature)
      const signer = wallet && recoverSigner(authorization, wallet, network)
      try {
        return wallet && signer && isAddressEqual(signer, authorization.from)
          ? await simulate(authorization, wallet, requirement)
          : await verifySmartWallet(payment, requirement)
      } catch (error) {
        throw new PaymentsUnavailable('the chain does not answer', { cause: error })
      }
    },

    settle: ({ authorization, signature }, _requirement, attempt) =>
      settler.settle(authorization, signature, attempt),

    async checkReady() {
      let balance: bigint
      let reserve: bigint
      try {
        ;[balance, reserve] = await Promise.all([
          client.getBalance({ address: settler.address }),
          settler.reserve(),
        ])
      } catch (cause) {
        throw new PaymentsUnavailable('the chain does not answer', { cause })
      }
      if (balance < reserve) {
        throw new PaymentsUnavailable('the settlement account is out of gas')
      }
    },
  }

  async function simulate(
    authorization: Authorization,
    wallet: WalletSignature,
    requirement: Requirement,
  ): Promise<Verdict> {
    const { from, to, value, validAfter, validBefore, nonce } = authorization
    const token = { address: requirement.asset, abi: tokenAbi } as const
    const [block, balance, used, transfer] = await client.multicall({
      contracts: [
        blockNumberCall,
        { ...token, functionName: 'balanceOf', args: [from] },
        { ...token, functionName: 'authorizationState', args: [from, nonce] },
        {
          ...token,
          functionName: 'transferWithAuthorization',
          args: [from, to, value, validAfter, validBefore, nonce, wallet.v, wallet.r, wallet.s],
        },
      ],
      batchSize: 0,
    })
    if (block.status === 'failure') throw block.error
    if (balance.status === 'failure') throw balance.error
    if (used.status === 'failure') throw used.error
    if (used.result) {
      return refused({
        reason: 'invalid_transaction_state',
        message: 'the authorization was already used or cancelled on the chain',
      })
    }
    if (balance.result < value) {
      return refused({
        reason: 'insufficient_funds',
        message: `the payer holds ${balance.result} of ${value} atomic units`,
      })
    }
    if (transfer.status === 'failure') {
      return refused({
        reason: 'invalid_exact_evm_payload_signature',
        message: 'the token refuses the authorization',
      })
    }
    return { isValid: true, funds: { balance: balance.result, block: block.result } }
  }

  async function verifySmartWallet(payment: Payment, requirement: Requirement): Promise<Verdict> {
    if (payment.signature.endsWith(erc6492Suffix)) {
      return refused({
        reason: 'invalid_exact_evm_payload_signature',
        message: 'a wallet pays once it is deployed, with a plain ERC-1271 signature',
      })
    }
    const { isValid, invalidReason } = await smartWallets.verify(v2Payload(payment, requirement), requirement)
    if (isValid) {
      const funds = await readFunds(client, requirement.asset, payment.authorization.from)
      return { isValid: true, funds }
    }
    switch (invalidReason) {
      case 'invalid_exact_evm_insufficient_balance':
        return refused({ reason: 'insufficient_funds', message: 'the payer holds less than the amount' })
      case 'invalid_exact_evm_nonce_already_used':
        return refused({
          reason: 'invalid_transaction_state',
          message: 'the authorization was already used or cancelled on the chain',
        })
      default:
        return refused({
          reason: 'invalid_exact_evm_payload_signature',
          message: 'the signature is not the payer’s',
        })
    }
  }
}

function refused(refusal: Refusal): Verdict {
  return { isValid: false, refusal }
}

/** Ends the envelope of a wallet that is yet to be deployed: it names a contract of its choice to be called first. */
const erc6492Suffix = '6492'.repeat(16)

/** The scheme only ever verifies here; what it would send goes through the settler. */
function refuseToSend(): never {
  throw new Error('the verifying scheme must not send transactions')
}
