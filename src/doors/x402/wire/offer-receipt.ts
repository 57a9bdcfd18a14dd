import type {
  EIP712SignedOffer,
  EIP712SignedReceipt,
  OfferPayload,
  ReceiptPayload,
} from '@x402/extensions/offer-receipt'
import { LRUCache } from 'lru-cache'
import secp256k1 from 'secp256k1'
import {
  type Address,
  concat,
  domainSeparator,
  type Hex,
  hexToBytes,
  keccak256,
  numberToHex,
  stringToHex,
} from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import type { Extensions } from './extensions.ts'
import type { Requirement } from './types.ts'

/**
 * The extension `offer-receipt`: the gateway signs the price that it asks and the payment that it took.
 * Without the signatures, a caller who was charged another price, or was not served, could not prove it.
 *
 * Both are signed as EIP-712 with the secp256k1 key in RECEIPT_KEY. The other form, a JWS, is longer and
 * could use such a key only as ES256K, which browsers and newer JOSE libraries do not verify. Only types come
 * from @x402/extensions: its code loads JOSE and more, which slows the start (the rows "first 402" of `npm
 * run bench`).
 */
export interface ReceiptSigner {
  /** The signer that a client recovers. The client has to learn in another way that the address is ours. */
  readonly address: Address
  /**
   * Signs the offers to accept any of `requirements` for a call of `resourceUrl`, one for each, in their
   * order.
   * @param validUntil Unix seconds.
   */
  signOffers(requirements: readonly Requirement[], resourceUrl: string, validUntil: number): Extensions
  /** Signs the receipt of a settled payment. The same payment gets the same bytes every time. */
  signReceipt(payment: SettledPayment): Extensions
}

interface SettledPayment {
  /** CAIP-2. */
  readonly network: string
  readonly resourceUrl: string
  readonly payer: string
  /** Unix seconds of the settlement. */
  readonly issuedAt: number
  /**
   * The specification allows to leave it out for privacy. A reader of the receipt knows payer, payee and
   * second, and finds the transfer anyway; with the hash the reader also sees that the amount was paid.
   */
  readonly transaction: string
}

/**
 * Creates the signer of offers and receipts.
 * @param privateKey 32 bytes.
 * @throws RangeError when the number is not a private key.
 */
export function createReceiptSigner(privateKey: Hex): ReceiptSigner {
  const key = hexToBytes(privateKey)
  if (key.length !== 32 || !secp256k1.privateKeyVerify(key)) throw new RangeError('not a private key')
  const publicKey = Buffer.from(secp256k1.publicKeyCreate(key, false))

  /**
   * Signs with libsecp256k1, whose nonce follows from key and hash (RFC 6979), so that the signature is the
   * same each time. It is faster than JavaScript (no measurement kept for signing).
   */
  function sign(domain: Hex, struct: Hex): Hex {
    const hash = keccak256(concat(['0x1901', domain, struct]), 'bytes')
    const { signature, recid } = secp256k1.ecdsaSign(hash, key)
    return `0x${Buffer.from(signature).toString('hex')}${recid ? '1c' : '1b'}`
  }

  return {
    address: publicKeyToAddress(`0x${publicKey.toString('hex')}`),

    signOffers(requirements, resourceUrl, validUntil) {
      const urlHash = keccak256(stringToHex(resourceUrl))
      const offers = requirements.map((requirement, acceptIndex): EIP712SignedOffer => {
        const { scheme, network, asset, payTo, amount } = requirement
        const payload: OfferPayload = {
          version: 1,
          resourceUrl,
          scheme,
          network,
          asset,
          payTo,
          amount,
          validUntil,
        }
        const signature = sign(offerDomain, hashOffer(payload, urlHash, validUntil))
        return { format: 'eip712', acceptIndex, payload, signature }
      })
      return { 'offer-receipt': { info: { offers }, schema: offersSchema } }
    },

    signReceipt({ network, resourceUrl, payer, issuedAt, transaction }) {
      const payload: ReceiptPayload = { version: 1, network, resourceUrl, payer, issuedAt, transaction }
      const signature = sign(receiptDomain, hashReceipt(payload, transaction))
      const receipt: EIP712SignedReceipt = { format: 'eip712', payload, signature }
      return { 'offer-receipt': { info: { receipt }, schema: receiptSchema } }
    },
  }
}

/**
 * Hashes an offer as EIP-712 asks: the hash of its type, then each field as a word, a text as its hash. This
 * equals viem's `hashStruct`, but hashes the texts that most offers share once: a caller may ask for a 402 of
 * as many addresses as it likes.
 */
function hashOffer(offer: OfferPayload, urlHash: Hex, validUntil: number): Hex {
  const { version, scheme, network, asset, payTo, amount } = offer
  return keccak256(
    concat([
      offerTypeHash,
      word(version),
      urlHash,
      ...[scheme, network, asset, payTo, amount].map(hashShared),
      word(validUntil),
    ]),
  )
}

/** Hashes a receipt in the same way. The payments of one transaction share its text. */
function hashReceipt(
  { version, network, resourceUrl, payer, issuedAt }: ReceiptPayload,
  transaction: string,
): Hex {
  return keccak256(
    concat([
      receiptTypeHash,
      word(version),
      hashShared(network),
      hashShared(resourceUrl),
      hashShared(payer),
      word(issuedAt),
      hashShared(transaction),
    ]),
  )
}

const sharedHashes = new LRUCache<string, Hex>({ max: 1_000 })

function hashShared(text: string): Hex {
  const known = sharedHashes.get(text)
  if (known) return known
  const hash = keccak256(stringToHex(text))
  sharedHashes.set(text, hash)
  return hash
}

function word(value: number): Hex {
  return numberToHex(value, { size: 32 })
}

/** The specification has chain id 1 for payments on every chain (extension-offer-and-receipt.md, 3.2). */
const offerDomain = domainSeparator({ domain: { name: 'x402 offer', version: '1', chainId: 1 } })
const receiptDomain = domainSeparator({ domain: { name: 'x402 receipt', version: '1', chainId: 1 } })

/** Section 4.3 of the specification. */
const offerTypeHash = keccak256(
  stringToHex(
    'Offer(uint256 version,string resourceUrl,string scheme,string network,string asset,string payTo,string amount,uint256 validUntil)',
  ),
)

/** Section 5.3. */
const receiptTypeHash = keccak256(
  stringToHex(
    'Receipt(uint256 version,string network,string resourceUrl,string payer,uint256 issuedAt,string transaction)',
  ),
)

const signed = { type: 'object', required: ['format', 'payload', 'signature'] }
/** Short, because a client repeats it with each payment. The specification describes the offers. */
const offersSchema = { type: 'object', required: ['offers'] }
const receiptSchema = { type: 'object', properties: { receipt: signed }, required: ['receipt'] }
