import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import type { Reply } from '../../../core/reply.ts'

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

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/**
 * Encrypts the body of a reply.
 * @param payment the id of its payment: under another id it does not open.
 */
export function seal(reply: Reply, name: string, payment: string): Reply {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, keyOf(name, payment), iv)
  const body = Buffer.concat([cipher.update(reply.body), cipher.final()])
  return { ...reply, body: Buffer.concat([iv, cipher.getAuthTag(), body]) }
}

/**
 * Decrypts the body of a reply.
 * @returns undefined for another name, or for bytes that were not sealed with it.
 */
export function unseal(body: Uint8Array, name: string, payment: string): Uint8Array | undefined {
  const [iv, tag] = [body.subarray(0, ivBytes), body.subarray(ivBytes, ivBytes + tagBytes)]
  if (tag.byteLength < tagBytes) return undefined
  const decipher = createDecipheriv(algorithm, keyOf(name, payment), iv).setAuthTag(tag)
  const opened = decipher.update(body.subarray(ivBytes + tagBytes))
  try {
    return Buffer.concat([opened, decipher.final()])
  } catch {
    // The tag does not match, so the body was sealed with another name.
    return undefined
  }
}

function keyOf(name: string, payment: string): Buffer {
  return Buffer.from(hkdfSync('sha256', name, payment, 'tollgate reply', 32))
}
