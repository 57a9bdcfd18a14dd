import { createHmac, hkdfSync } from 'node:crypto'
import { openBytes, sealBytes } from '../../../platform/store/sealed.ts'

/**
 * The secrets that subscribers sign with. Who reads them can forge events, so the store has them encrypted, with a key
 * that is not in the store. They are never shown and never logged.
 */

export const secretForm =
  '8 to 256 printable ASCII characters, or whsec_ and the base64 of 24 to 64 bytes (Standard Webhooks)'

const prefix = 'whsec_'

export function isSecret(text: string): boolean {
  // Receivers decode whatever stands behind the prefix, so it has to be base64.
  return text.startsWith(prefix) ? decoded(text) !== undefined : /^[\x20-\x7e]{8,256}$/.test(text)
}

/** The key that deliveries are signed with: the decoded bytes of `whsec_…`, else the text itself. */
export function signingKeyOf(secret: string): Uint8Array {
  return decoded(secret) ?? Buffer.from(secret)
}

function decoded(secret: string): Uint8Array | undefined {
  if (!secret.startsWith(prefix)) return undefined
  const text = secret.slice(prefix.length)
  const bytes = Buffer.from(text, 'base64')
  // Node skips what is not base64.
  const isWhole = bytes.toString('base64') === text && bytes.length >= 24 && bytes.length <= 64
  return isWhole ? bytes : undefined
}

/**
 * Finds the words that secrets are sealed with: the first one seals, and each opens what it has sealed, so that a word
 * can be replaced. It is empty when there is none.
 */
export type FindMasterWords = () => Promise<readonly string[]>

/** There is no key to seal secrets with. */
export class NoSealingKey extends Error {
  override readonly name = 'NoSealingKey'
}

export class SecretBox {
  readonly #words: FindMasterWords
  readonly #keys = new Map<string, Uint8Array>()

  constructor(words: FindMasterWords) {
    this.#words = words
  }

  /**
   * @param subscription its id: under another one the secret does not open.
   * @throws NoSealingKey
   */
  async seal(secret: string, subscription: string): Promise<Uint8Array> {
    return sealBytes(Buffer.from(secret), this.#keyOf(await this.#first()), subscription)
  }

  /** @returns undefined when it was sealed with a word that is not known any more. */
  async open(sealed: Uint8Array, subscription: string): Promise<string | undefined> {
    for (const word of await this.#words()) {
      const opened = openBytes(sealed, this.#keyOf(word), subscription)
      if (opened) return opened.toString()
    }
    return undefined
  }

  /** A mark by which the same request is recognized. It tells nothing of the secret in it. */
  async mark(request: string): Promise<string> {
    return createHmac('sha256', this.#keyOf(await this.#first()))
      .update(request)
      .digest('hex')
  }

  async #first(): Promise<string> {
    const [word] = await this.#words()
    if (word === undefined) throw new NoSealingKey('there is no key to seal the secrets of webhooks with')
    return word
  }

  #keyOf(word: string): Uint8Array {
    const key =
      this.#keys.get(word) ?? new Uint8Array(hkdfSync('sha256', word, '', 'tollgate webhook secret', 32))
    this.#keys.set(word, key)
    return key
  }
}
