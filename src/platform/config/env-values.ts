import { createPrivateKey, type KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { parseUsdc } from '../../core/money.ts'
import { isPrivateTarget } from '../net/target.ts'

/**
 * The kinds of value that settings have. A malformed value is found here, before anything is opened with it.
 */

export const port = wholeNumber(1, 65_535)
export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })
export const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be a 0x address of 40 hex digits')
export const count = (max: number, fallback: number) => wholeNumber(1, max).default(fallback)

/** An amount in USDC, as atomic units. */
export const usdc = (fallback: string) =>
  z
    .string()
    .regex(/^\d{1,9}(\.\d{1,6})?$/, { error: 'must be a decimal amount of USDC, such as 0.50', abort: true })
    .default(fallback)
    .transform(parseUsdc)

export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  const error = words.length > 1 ? `must be one of: ${words.join(', ')}` : `must be ${words[0]}`
  return z.enum(words, { error })
}

export function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`
  return z.coerce.number({ error }).int({ error, abort: true }).min(min, error).max(max, error)
}

/**
 * A number outside the range of the curve is not a key; without this check the first signature would fail.
 */
const keyRange = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
export const privateKey = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, { error: 'must be a 0x private key of 64 hex digits', abort: true })
  .refine((key) => BigInt(key) > 0n && BigInt(key) < keyRange, 'this number is not a private key')
  .transform((key): `0x${string}` => `0x${key.slice(2).toLowerCase()}`)

/** Several values of one kind, separated by commas. The same value twice is a mistake. */
export const list = <Item extends z.ZodType<string, string>>(item: Item) =>
  z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(item))
    .refine((items) => new Set<string>(items).size === items.length, 'names one of them twice')

export const facilitator = z.union([z.enum(['local', 'cdp']), httpUrl.transform(withoutTrailingSlash)], {
  error: 'must be local, cdp or the http(s) address of an x402 facilitator',
})

/** Coinbase issues Ed25519 keys in base64, and used to issue EC keys in PEM, in both of its forms. */
export const cdpApiKeySecret = z.string().transform((text, context) => {
  if (/^[A-Za-z0-9+/]{86}==$/.test(text)) return text
  // Files of settings often hold a PEM on one line.
  const pem = text.replaceAll('\\n', '\n').trim()
  const key = readKey(() => createPrivateKey(pem))
  if (isP256(key)) return key.export({ type: 'pkcs8', format: 'pem' }).toString()
  context.addIssue('must be the secret of an API key: an Ed25519 key in base64, or an EC key in PEM')
  return z.NEVER
})

export const cdpWalletSecret = z.string().refine((text) => {
  const der = Buffer.from(text, 'base64')
  return isP256(readKey(() => createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })))
}, 'must be a wallet secret: an EC key in base64')

const proxyNames = ['loopback', 'linklocal', 'uniquelocal']

/**
 * As Express reads its setting `trust proxy`. To trust every address is refused: any caller could then name
 * any address.
 */
export const trustedProxies = z.union(
  [
    z.coerce.number().int().min(1).max(10),
    list(z.string().refine((text) => proxyNames.includes(text) || isIP(text) !== 0 || isNetwork(text))),
  ],
  { error: 'must be the number of proxies, or addresses and networks (10.0.0.0/8) separated by commas' },
)

/** Of at least one bit: `0.0.0.0/0` is every address. */
function isNetwork(text: string): boolean {
  const [address = '', bits = ''] = text.split('/')
  return isIP(address) !== 0 && ipaddr.isValidCIDR(text) && Number(bits) > 0
}

export const milliseconds = (fallback: number) => wholeNumber(1, 600_000).default(fallback)

export function withoutTrailingSlash(url: string): string {
  return url.replace(/\/+$/, '')
}

/** Node's error may quote from the key, so it is not passed on. */
function readKey(read: () => KeyObject): KeyObject | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function isP256(key: KeyObject | undefined): key is KeyObject {
  return key?.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
}

/**
 * Each of `127.0.0.1:9000`, `[::1]:9000`, `shop.example=127.0.0.1:9000`, `shop.example:443=127.0.0.1:9443`. A fault names
 * the entry by its number.
 */
export const privateTargets = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(
    z.array(
      z
        .string()
        .refine(
          isPrivateTarget,
          'must be an address with its port (127.0.0.1:9000), or a name for one (shop.example=127.0.0.1:9000)',
        ),
    ),
  )
  .transform((parts) => parts.join(','))
