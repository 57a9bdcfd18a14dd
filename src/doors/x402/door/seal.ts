import { createHash, hkdfSync } from 'node:crypto'
import type { Reply } from '../../../core/reply.ts'
import { openBytes, sealBytes } from '../../../platform/store/sealed.ts'

/**
 * Replies that contain a secret, such as an API key. Like all replies they are stored for a buyer who lost
 * them. But the payment that fetches such a reply is public once it is on the chain, and the operator can
 * read the books. So they are encrypted with the name that the buyer gave the purchase. Without that name a
 * reply can neither be requested nor be read.
 */

/** A name must be too long to guess. */
export const minNameLength = 16

/** The hash that the books hold in place of the name. */
export function nameHash(name: string): string {
  return createHash('sha256').update(`purchase ${name}`).digest('hex')
}

/**
 * Encrypts the body of a reply.
 * @param payment the id of its payment: under another id it does not open.
 */
export function seal(reply: Reply, name: string, payment: string): Reply {
  return { ...reply, body: sealBytes(reply.body, keyOf(name, payment)) }
}

/**
 * Decrypts the body of a reply.
 * @returns undefined for another name, or for bytes that were not sealed with it.
 */
export function unseal(body: Uint8Array, name: string, payment: string): Uint8Array | undefined {
  return openBytes(body, keyOf(name, payment))
}

function keyOf(name: string, payment: string): Buffer {
  return Buffer.from(hkdfSync('sha256', name, payment, 'tollgate reply', 32))
}
