import { randomBytes } from 'node:crypto'
import {
  type Address,
  encodeFunctionData,
  type Hex,
  hashMessage,
  isAddressEqual,
  type PublicClient,
  padHex,
  parseAbi,
  parseErc6492Signature,
  recoverMessageAddress,
} from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { z } from 'zod'
import type { Clock } from '../../../core/clock.ts'
import { createSlotsByKey } from '../../../core/slots-by-key.ts'
import type { Network } from '../../../platform/chain/networks.ts'
import { address } from '../wire/envelope.ts'

/**
 * Sign-ins by x402's extension `sign-in-with-x` (CAIP-122, in the form of EIP-4361), one for each payment: the
 * payer signs the address of the payment. Once a payment is on the chain, its signature is public. A sign-in is not,
 * so it shows that a caller is the payer.
 *
 * The functions of `@x402/extensions/sign-in-with-x` make such a header from `challenge`. They are not used here:
 * they read the system's clock, accept any address of our host, and load a second library for the same text.
 */
export interface SignIns {
  /** What a payer signs for a payment, as `createSIWxPayload` takes it. */
  challenge(paymentId: string): SignInChallenge
  /**
   * Whether the header is a sign-in of this payer for this payment, not older than five minutes. A faulty header is
   * none.
   * @param isContract whether the payer is a wallet contract, whose signature only the chain can verify.
   */
  isSignedIn(header: string, payment: SignedIn, isContract: boolean): Promise<boolean>
}

export interface SignInChallenge {
  readonly domain: string
  readonly uri: string
  readonly version: '1'
  /** CAIP-2. */
  readonly chainId: string
  readonly type: 'eip191'
  readonly nonce: string
  /** ISO 8601. */
  readonly issuedAt: string
}

interface SignedIn {
  readonly id: string
  readonly payer: string
}

interface SignInOptions {
  readonly network: Network
  readonly client: PublicClient
  /** Public address of the paid endpoints. */
  readonly paymentsBaseUrl: string
  readonly clock: Clock
}

/**
 * Anybody can send a sign-in in the name of any wallet contract that has paid here, and asking the contract runs what
 * its owner wrote. So only so many are asked at a time, each with a limit of gas.
 */
const maxLooksPerPayer = 4
const maxLooks = 16
/** A signature of a passkey that a contract verifies by itself takes about 400,000. */
const maxGasOfLook = 1_500_000n
/** How long a sign-in waits to be verified. Then it counts as none, and the caller can send it again. */
const patienceMs = 5_000

const maxAgeMs = 5 * 60_000
/** The clock of a payer may be ahead of ours. */
const maxAheadMs = 60_000
/** A header with a wallet contract's signature has some kilobytes. */
const maxHeaderCharacters = 16_000

/** Further fields would be a part of the signed text; a header with one is no sign-in here. */
const signIn = z.strictObject({
  domain: z.string(),
  uri: z.string(),
  statement: z.string().max(500).optional(),
  version: z.literal('1'),
  chainId: z.string(),
  type: z.literal('eip191'),
  signatureScheme: z.string().optional(),
  nonce: z.string().regex(/^[a-zA-Z0-9]{8,64}$/),
  issuedAt: z.iso.datetime({ offset: true }),
  address,
  signature: z.templateLiteral(['0x', z.string().regex(/^(?:[0-9a-fA-F]{2})+$/)]),
})

export function createSignIns({ network, client, paymentsBaseUrl, clock }: SignInOptions): SignIns {
  const { host: domain } = new URL(paymentsBaseUrl)
  const uriOf = (paymentId: string) => `${paymentsBaseUrl}/payments/${paymentId}`
  const ofPayer = createSlotsByKey(maxLooksPerPayer)
  const ofAll = createSlotsByKey(maxLooks)

  return {
    challenge(paymentId) {
      return {
        domain,
        uri: uriOf(paymentId),
        version: '1',
        chainId: network.caip2,
        type: 'eip191',
        nonce: randomBytes(12).toString('hex'),
        issuedAt: new Date(clock.now()).toISOString(),
      }
    },

    async isSignedIn(header, { id, payer }, isContract) {
      const sent = readHeader(header)
      if (!sent || sent.domain !== domain || sent.uri !== uriOf(id) || sent.chainId !== network.caip2)
        return false
      const issuedAt = new Date(sent.issuedAt)
      const ageMs = clock.now() - issuedAt.getTime()
      if (ageMs > maxAgeMs || ageMs < -maxAheadMs || sent.address.toLowerCase() !== payer) return false
      const { statement, uri, version, nonce, signature } = sent
      const terms = { domain, uri, version, nonce, issuedAt, address: sent.address, chainId: network.chainId }
      try {
        const message = createSiweMessage({ ...terms, ...(statement === undefined ? {} : { statement }) })
        if (isContract) {
          const patience = AbortSignal.timeout(patienceMs)
          const look = () => isSignedByContract(client, sent.address, { message, signature })
          return await ofPayer.run(payer, patience, () => ofAll.run('all', patience, look))
        }
        return isAddressEqual(await recoverMessageAddress({ message, signature }), sent.address)
      } catch {
        // No text that can be signed, or no signature, or a chain that does not answer: a sign-in that cannot be
        // verified is none.
        return false
      }
    },
  }
}

const erc1271 = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
const isValid = padHex('0x1626ba7e', { size: 32, dir: 'right' })

/**
 * Asks the contract as EIP-1271 says. viem's own function has no limit of gas, and a node would let the contract run as
 * long as it lets any call. A payer has paid, so its contract is deployed and the deployment of ERC-6492 is not needed.
 */
async function isSignedByContract(
  client: PublicClient,
  contract: Address,
  { message, signature }: { readonly message: string; readonly signature: Hex },
): Promise<boolean> {
  const args = [hashMessage(message), parseErc6492Signature(signature).signature] as const
  const data = encodeFunctionData({ abi: erc1271, functionName: 'isValidSignature', args })
  const reply = await client.call({ to: contract, data, gas: maxGasOfLook })
  return reply.data === isValid
}

function readHeader(header: string): z.infer<typeof signIn> | undefined {
  if (header.length > maxHeaderCharacters) return undefined
  try {
    return signIn.safeParse(JSON.parse(Buffer.from(header, 'base64').toString('utf8'))).data
  } catch {
    return undefined
  }
}
