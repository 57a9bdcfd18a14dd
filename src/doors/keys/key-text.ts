import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * What an API key looks like: `tgk_`, an id, a secret and a checksum. Without a form of its own a key that
 * was pushed to a public repository would be found by no secret scanner, and every mistyped one would cost
 * a look into the store.
 */
export interface KeyText {
  /** By which the key is looked up; it stays when the secret is replaced. */
  readonly id: string
  /** The key as its holder sends it. */
  readonly text: string
  /**
   * SHA-256 of the whole text in hex, all that is ever stored. A slow hash guards passwords, which can be
   * guessed; a random secret of 190 bits cannot, and a slow one would be paid for with each call.
   */
  readonly hash: string
}

const prefix = 'tgk_'
const idLength = 16
const secretLength = 32
const checksumLength = 6
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const form = new RegExp(`^${prefix}[0-9A-Za-z]{${idLength + secretLength + checksumLength}}$`)

/** Makes a new key. @param id that of a key whose secret is replaced. */
export function createKeyText(id = randomText(idLength)): KeyText {
  const body = `${prefix}${id}${randomText(secretLength)}`
  const text = `${body}${checksum(body)}`
  return { id, text, hash: hashOf(text) }
}

/** @returns undefined for what was not made by `createKeyText`, or was mistyped since. */
export function parseKeyText(text: string): Omit<KeyText, 'text'> | undefined {
  if (!form.test(text) || checksum(text.slice(0, -checksumLength)) !== text.slice(-checksumLength)) {
    return undefined
  }
  return { id: text.slice(prefix.length, prefix.length + idLength), hash: hashOf(text) }
}

/** `randomInt` draws again where a remainder would make some characters likelier than others. */
function randomText(length: number): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
}

/** CRC-32 in base 62; six digits hold it. */
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
