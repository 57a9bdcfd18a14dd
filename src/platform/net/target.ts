import { isIP } from 'node:net'
import { parse } from 'tldts'
import { isPublicAddress } from './public-address.ts'

/**
 * The targets that may be fetched. Users and hostile pages choose them in every spelling that the URL
 * standard knows, so a target is parsed once, and the parsed URL is checked and passed on. A check on text
 * would miss `http://127.1`.
 */

/** A private target that may be fetched, for development and tests. */
export interface PrivateTarget {
  /** Host name that leads there; without it only the address does. */
  readonly name?: string
  /** The only port of the name that leads there; without it every port does. */
  readonly namePort?: number
  readonly address: string
  readonly port: number
}

export class TargetError extends Error {
  override readonly name = 'TargetError'
  readonly reason: 'malformed' | 'scheme' | 'credentials' | 'port' | 'host' | 'private'

  constructor(reason: TargetError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * Parses a domain or an address as users write it.
 *
 * @returns a normalized URL without fragment and without the dot at the end of its host. `hasScheme` is false
 *   when no scheme was given: the URL is https then, and http is worth a second try.
 * @throws TargetError with a sentence for the user
 */
export function parseTarget(
  text: string,
  allowed: readonly PrivateTarget[],
): { url: URL; hasScheme: boolean } {
  const trimmed = text.trim()
  if (trimmed === '') throw new TargetError('malformed', 'Give a domain, such as example.com.')
  if (trimmed.length > maxWritten) {
    throw new TargetError('malformed', `The address is longer than ${maxWritten} characters.`)
  }
  if (forbiddenCharacters.test(trimmed)) {
    throw new TargetError('malformed', 'The address holds spaces, control characters or backslashes.')
  }
  const hasScheme = writtenScheme.test(trimmed)
  if (!hasScheme && otherScheme.test(trimmed)) {
    throw new TargetError('scheme', 'Only addresses that begin with https:// or http:// can be fetched.')
  }
  const written = hasScheme ? trimmed : `https:${trimmed.startsWith('//') ? '' : '//'}${trimmed}`
  const url = URL.parse(written)
  if (url === null) throw new TargetError('malformed', 'This is not a domain or an address.')
  url.hash = ''
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  checkTarget(url, allowed)
  checkSuffix(url, allowed)
  return { url, hasScheme }
}

/**
 * Applies the same rules to a parsed URL: every hop of a redirect, every link.
 *
 * @throws TargetError
 */
export function checkTarget(url: URL, allowed: readonly PrivateTarget[]): void {
  const fallbackPort = defaultPorts.get(url.protocol)
  if (fallbackPort === undefined) {
    throw new TargetError('scheme', 'Only https and http addresses can be fetched.')
  }
  if (url.href.length > maxNormalized) {
    throw new TargetError('malformed', `The address is longer than ${maxNormalized} characters.`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new TargetError('credentials', 'The address must not hold a user name or a password.')
  }
  const host = hostOf(url)
  const port = url.port === '' ? fallbackPort : Number(url.port)
  if (findPrivateTarget(allowed, host, port)) return
  checkHost(host)
  if (!publicPorts.has(port)) {
    throw new TargetError('port', `Only the ports 80 and 443 can be fetched, not ${port}.`)
  }
}

/** Finds the private target that the operator allowed for this host and port. */
export function findPrivateTarget(
  allowed: readonly PrivateTarget[],
  host: string,
  port: number,
): PrivateTarget | undefined {
  return allowed.find((target) =>
    target.name === undefined
      ? target.address === host && target.port === port
      : target.name === host && (target.namePort === undefined || target.namePort === port),
  )
}

/** Host name or IP address, without the brackets of IPv6 and without a dot at the end. */
export function hostOf(url: URL): string {
  const host = url.hostname
  if (host.startsWith('[')) return host.slice(1, -1)
  return host.endsWith('.') ? host.slice(0, -1) : host
}

/**
 * Parses `ALLOW_PRIVATE_TARGETS`: `127.0.0.1:9000`, `[::1]:9000`, `shop.example=127.0.0.1:9000` (for every
 * port of the name) and `shop.example:443=127.0.0.1:9443`, separated by commas.
 *
 * @throws Error that names the faulty part
 */
export function parsePrivateTargets(text: string): PrivateTarget[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const target = parsePrivateTarget(part)
      if (target === undefined) {
        throw new Error(
          `"${part}" is not a private target: write 127.0.0.1:9000 or shop.example=127.0.0.1:9000`,
        )
      }
      return target
    })
}

/** Whether the text is one entry of `ALLOW_PRIVATE_TARGETS`. */
export function isPrivateTarget(text: string): boolean {
  return parsePrivateTarget(text) !== undefined
}

function checkHost(host: string): void {
  if (isIP(host) !== 0) {
    if (isPublicAddress(host)) return
    throw new TargetError('private', 'The address lies in a private or reserved network.')
  }
  const labels = host.split('.')
  if (labels.length < 2) throw new TargetError('host', 'A full domain is needed, such as example.com.')
  if (host.length > 253 || labels.some((label) => label === '' || label.length > 63)) {
    throw new TargetError('host', 'This is not a valid domain.')
  }
  const reserved = reservedEndings.find((ending) => host === ending || host.endsWith(`.${ending}`))
  if (reserved) throw new TargetError('host', `Domains under .${reserved} are not on the public internet.`)
}

/** Refuses a mistyped ending, such as `example.c`, at once instead of after a look into the DNS. */
function checkSuffix(url: URL, allowed: readonly PrivateTarget[]): void {
  const host = hostOf(url)
  if (isIP(host) !== 0 || allowed.some(({ name }) => name === host)) return
  const { isIcann, publicSuffix } = parse(host)
  if (isIcann) return
  throw new TargetError('host', `There are no public domains under .${publicSuffix}. Check the spelling.`)
}

function parsePrivateTarget(part: string): PrivateTarget | undefined {
  const [left = '', right, ...more] = part.split('=')
  if (more.length > 0) return undefined
  const place = parseHostAndPort(right ?? left)
  if (place?.port === undefined || isIP(place.host) === 0) return undefined
  const to = { address: place.host, port: place.port }
  if (right === undefined) return to
  const named = parseHostAndPort(left)
  if (named === undefined || isIP(named.host) !== 0) return undefined
  return named.port === undefined
    ? { name: named.host, ...to }
    : { name: named.host, namePort: named.port, ...to }
}

/** Normalizes them as a parsed URL is, so that both can be compared. */
function parseHostAndPort(text: string): { host: string; port?: number } | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[^:[\]/?#@\\\s]+)(?::([0-9]{1,5}))?$/i.exec(text)
  const url = URL.parse(`http://${match?.[1] ?? ''}/`)
  if (match === null || url === null) return undefined
  if (match[2] === undefined) return { host: hostOf(url) }
  const port = Number(match[2])
  return port >= 1 && port <= 65_535 ? { host: hostOf(url), port } : undefined
}

const maxWritten = 2_048
/** Links and redirects are longer than what users write, and percent-encoding makes addresses longer. */
const maxNormalized = 8_192

/** The URL standard drops tabs and line breaks and reads a backslash as a slash, which no user means. */
const forbiddenCharacters = /[\s\p{Cc}\\]/u
const writtenScheme = /^[a-z][a-z0-9+.-]*:\/\//i
/** A colon without a port after it: `mailto:`, `javascript:`, `http:` without slashes. */
const otherScheme = /^[a-z][a-z0-9+.-]*:(?![0-9]{1,5}(?:[/?#]|$))/i

const defaultPorts = new Map([
  ['https:', 443],
  ['http:', 80],
])
const publicPorts = new Set(defaultPorts.values())

/** Names that are not in the public DNS, or that mean this machine or its network. */
const reservedEndings = ['local', 'internal', 'localhost', 'onion', 'home.arpa', 'test']
