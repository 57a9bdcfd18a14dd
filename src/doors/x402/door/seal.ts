import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import type { Reply } from '../../../core/reply.ts'

/**
 * Replies that hold a secret, such as an API key. They are kept for whoever lost them, like all replies, but the
 * payment that fetches one is public once it was sent to the chain, and the books are read by more people than the
 * buyer. So they are kept under the name the buyer gave the purchase, which nobody else knows: without it a reply can
 * neither be asked for nor be read.
 */

/** A name has to be beyond guessing. */
export const leastNameLength = 16

/** What stands in the books for the name. */
export function nameHash(name: string): string {
  return createHash('sha256').update(`purchase ${name}`).digest('hex')
}

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** @param payment id of the payment that bought it: a sealed reply opens as that of no other. */
export function seal(reply: Reply, name: string, payment: string): Reply {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, keyOf(name, payment), iv)
  const body = Buffer.concat([cipher.update(reply.body), cipher.final()])
  return { ...reply, body: Buffer.concat([iv, cipher.getAuthTag(), body]) }
}

/** @returns undefined when the name is another, or the bytes are not what was sealed. */
export function unseal(body: Uint8Array, name: string, payment: string): Uint8Array | undefined {
  const [iv, tag] = [body.subarray(0, ivBytes), body.subarray(ivBytes, ivBytes + tagBytes)]
  if (tag.byteLength < tagBytes) return undefined
  const decipher = createDecipheriv(algorithm, keyOf(name, payment), iv).setAuthTag(tag)
  const opened = decipher.update(body.subarray(ivBytes + tagBytes))
  try {
    return Buffer.concat([opened, decipher.final()])
  } catch {
    // The tag does not fit: what it was sealed with is not this name. There is nothing more to know about it.
    return undefined
  }
}

function keyOf(name: string, payment: string): Buffer {
  return Buffer.from(hkdfSync('sha256', name, payment, 'tollgate reply', 32))
}
