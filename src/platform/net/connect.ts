import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { type ConnectionOptions, createSecureContext, getCACertificates } from 'node:tls'
import { buildConnector } from 'undici'
import { errorCode, FetchFailure } from './fetch-error.ts'
import { findPrivateTarget, type PrivateTarget } from './target.ts'

/** Looks up every address of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** Looks names up as this machine does. */
export async function lookUp(name: string): Promise<string[]> {
  const addresses = await lookup(name, { all: true })
  return addresses.map(({ address }) => address)
}

/**
 * Creates the connector of all fetches, which refuses private addresses. The check belongs here: a name is
 * looked up once, and the connection goes to the addresses that were checked, so a name that resolves
 * differently the second time (DNS rebinding) gains nothing. Redirects, kept connections and addresses
 * written as numbers pass here too.
 */
export function createConnector({
  allowed,
  isAllowedAddress,
  resolve,
  ca,
  tls,
  timeoutMs = connectMs,
  offerHttp2 = false,
}: {
  readonly allowed: readonly PrivateTarget[]
  readonly isAllowedAddress: (ip: string) => boolean
  readonly resolve: Resolve
  /** Certificates (PEM) trusted in addition to the system's. */
  readonly ca?: string | undefined
  /** TLS settings made by the caller; they replace `ca`. */
  readonly tls?: Pick<ConnectionOptions, 'secureContext' | 'servername'> | undefined
  /** For a connection with its TLS handshake. */
  readonly timeoutMs?: number
  /** Only to find out what a server would choose: we do not speak HTTP/2. */
  readonly offerHttp2?: boolean
}): buildConnector.connector {
  const connect = buildConnector({
    allowH2: offerHttp2,
    preferH2: offerHttp2,
    timeout: timeoutMs,
    // Node does not check the certificate's name again on a resumed session, so no session is kept.
    maxCachedSessions: 0,
    autoSelectFamilyAttemptTimeout: attemptMs,
    lookup: checkedLookup(resolve, isAllowedAddress),
    // Made once: as a list, the certificates would be parsed again for each connection.
    ...(ca !== undefined && { secureContext: createSecureContext({ ca: [...getCACertificates(), ca] }) }),
    ...tls,
  })

  return (wanted, callback) => {
    const isTls = wanted.protocol === 'https:'
    const port = wanted.port === '' ? (isTls ? 443 : 80) : Number(wanted.port)
    const host = wanted.hostname.endsWith('.') ? wanted.hostname.slice(0, -1) : wanted.hostname
    const target = findPrivateTarget(allowed, host, port)
    if (!target && isIP(host) !== 0 && !isAllowedAddress(host)) {
      callback(privateAddress(), null)
      return
    }
    connect(
      target ? { ...wanted, hostname: target.address, port: String(target.port) } : wanted,
      (error, socket) => {
        if (error) callback(toFailure(error, isTls), null)
        else if (leadsTo(socket, target?.address, isAllowedAddress)) callback(null, socket)
        else {
          socket.destroy()
          callback(privateAddress(), null)
        }
      },
    )
  }
}

/** Checks the address of the socket itself, in case a connection came about without the lookup. */
function leadsTo(
  { remoteAddress }: Socket,
  target: string | undefined,
  isAllowedAddress: (ip: string) => boolean,
): boolean {
  if (remoteAddress === undefined) return false
  return target === undefined ? isAllowedAddress(remoteAddress) : remoteAddress === target
}

function checkedLookup(resolve: Resolve, isAllowedAddress: (ip: string) => boolean): LookupFunction {
  return (name, options, callback) => {
    resolveChecked(name, resolve, isAllowedAddress).then(
      (addresses) => {
        const [first] = addresses
        if (options.all) callback(null, addresses.map(withFamily))
        else callback(null, first ?? '', isIP(first ?? ''))
      },
      (error) => callback(error, ''),
    )
  }
}

function withFamily(address: string) {
  return { address, family: isIP(address) }
}

async function resolveChecked(
  name: string,
  resolve: Resolve,
  isAllowedAddress: (ip: string) => boolean,
): Promise<string[]> {
  const addresses = await resolve(name).catch((cause: unknown) => {
    if (errorCode(cause) === 'ENOTFOUND') throw new FetchFailure('dns', unknownName(name), { cause })
    throw new FetchFailure('lookup', `The look-up of ${name} failed.`, { cause })
  })
  if (addresses.length === 0) throw new FetchFailure('dns', unknownName(name))
  // Every address counts: a private one behind a public one would pass a check of the first.
  if (!addresses.every((address) => isIP(address) !== 0 && isAllowedAddress(address))) throw privateAddress()
  return [4, 6].flatMap((family) => addresses.filter((ip) => isIP(ip) === family).slice(0, maxPerFamily))
}

function unknownName(name: string): string {
  return `The name ${name} has no address in the DNS.`
}

function privateAddress(): FetchFailure {
  return new FetchFailure('refused', 'The address lies in a private or reserved network.')
}

function toFailure(error: Error, isTls: boolean): FetchFailure {
  if (error instanceof FetchFailure) return error
  const cause = error
  const code = errorCode(error) ?? ''
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return new FetchFailure('timeout', 'The server took too long to accept a connection.', { cause })
  }
  // One address that failed, or several. A TLS error comes after the connection and names no such call.
  const isPlain = error instanceof AggregateError || ('syscall' in error && error.syscall === 'connect')
  if (isPlain || !isTls) return new FetchFailure('connect', 'The server accepts no connection.', { cause })
  const detail = certificateFaults.get(code) ?? 'no secure connection could be agreed on'
  return new FetchFailure('tls', `TLS failed: ${detail}.`, { cause })
}

/** https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const certificateFaults = new Map([
  ['CERT_HAS_EXPIRED', 'the certificate has expired'],
  ['CERT_NOT_YET_VALID', 'the certificate is not valid yet'],
  ['CERT_REVOKED', 'the certificate was revoked'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate was made out for another name'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'the certificate was signed by itself'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'the certificate comes from an authority that is not trusted'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'the chain of certificates is incomplete or not trusted'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'the chain of certificates is incomplete or not trusted'],
])

const connectMs = 5_000
/** Until the next address of a name is tried. Node's 250 ms are too short for a distant server. */
const attemptMs = 1_000
/** Otherwise a name with a thousand addresses would make us try them all. */
const maxPerFamily = 2
