import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * The text of an API key: `tgk_`, an id, a secret and a checksum. The fixed form lets secret scanners find a
 * key that was pushed to a public repository, and the checksum refuses a mistyped key without reading the
 * store.
 */
export interface KeyText {
  /** Looks the key up. It stays when the secret is replaced. */
  readonly id: string
  /** The whole key, as its holder sends it. */
  readonly text: string
  /**
   * SHA-256 of the whole text, in hex: all that the store has of it. Passwords need a slow hash, because they
   * can be guessed. A random secret of 190 bits cannot be guessed, and a slow hash would make each call
   * slower.
   */
  readonly hash: string
}

const prefix = 'tgk_'
const idLength = 16
const secretLength = 32
const checksumLength = 6
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const form = new RegExp(`^${prefix}[0-9A-Za-z]{${idLength + secretLength + checksumLength}}$`)

/**
 * Makes a new key.
 * @param id the id of the key whose secret is replaced.
 */
export function createKeyText(id = randomText(idLength)): KeyText {
  const body = `${prefix}${id}${randomText(secretLength)}`
  const text = `${body}${checksum(body)}`
  return { id, text, hash: hashOf(text) }
}

/** @returns undefined for a text that `createKeyText` did not make, such as a mistyped key. */
export function parseKeyText(text: string): Omit<KeyText, 'text'> | undefined {
  if (!form.test(text) || checksum(text.slice(0, -checksumLength)) !== text.slice(-checksumLength)) {
    return undefined
  }
  return { id: text.slice(prefix.length, prefix.length + idLength), hash: hashOf(text) }
}

/**
 * Draws characters with `randomInt`, which is uniform; a remainder of random bytes would favor some
 * characters.
 */
function randomText(length: number): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
}

/** CRC-32 in base 62, which fits in six digits. */
function checksum(body: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let place = 0; place < checksumLength; place += 1) {
    digits = alphabet.charAt(rest % alphabet.length) + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}

function hashOf(text: string): string {
  return hash('sha256', text)
}
