import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/**
 * Encrypts what the store keeps and a reader of the store must not learn: AES-256-GCM, as the initialization vector,
 * the tag, and the encrypted bytes.
 */

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/**
 * @param key 32 bytes.
 * @param bound what the bytes belong to: sealed bytes that were moved to another row do not open there.
 */
export function sealBytes(plain: Uint8Array, key: Uint8Array, bound = ''): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(bound))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body])
}

/** @returns undefined for bytes that were not sealed with this key, or that belong to something else. */
export function openBytes(sealed: Uint8Array, key: Uint8Array, bound = ''): Buffer | undefined {
  const [iv, tag] = [sealed.subarray(0, ivBytes), sealed.subarray(ivBytes, ivBytes + tagBytes)]
  if (tag.byteLength < tagBytes) return undefined
  const decipher = createDecipheriv(algorithm, key, iv).setAAD(Buffer.from(bound)).setAuthTag(tag)
  const opened = decipher.update(sealed.subarray(ivBytes + tagBytes))
  try {
    return Buffer.concat([opened, decipher.final()])
  } catch {
    // The tag does not match.
    return undefined
  }
}
